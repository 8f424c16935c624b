// Light in space: a soft sky, a sun with soft shadows around what moves, and reflections of a plain room.
import { DirectionalLight, Group, HemisphereLight, PMREMGenerator, type Scene, Vector3, type WebGLRenderer } from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Bodies } from "./bodies";
import type { World } from "./world";

export class Lights {
  readonly group = new Group();
  private sun = new DirectionalLight(0xffffff, 2.2);
  private sky = new HemisphereLight(0xffffff, 0xb4bcc8, 1.25);
  private towards = new Vector3();
  private middle = new Vector3();
  private point = new Vector3();
  private reach = 0;

  constructor(private world: World) {
    this.group.add(this.sun, this.sun.target, this.sky);
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3.5;
    this.sun.shadow.bias = -0.0004;
  }

  surround(scene: Scene, renderer: WebGLRenderer): void {
    const generator = new PMREMGenerator(renderer);
    const room = new RoomEnvironment();
    scene.environment = generator.fromScene(room, 0.06).texture;
    scene.environmentIntensity = 0.55;
    room.dispose();
    generator.dispose();
  }

  begin(shadows: boolean): void {
    const { right, ahead, up } = this.world;
    this.towards.set(0, 0, 0).addScaledVector(right, -0.45).addScaledVector(ahead, -0.55).addScaledVector(up, 1.1).normalize();
    this.sky.position.copy(up);
    this.sun.castShadow = shadows && !this.world.planar;
    this.reach = 0;
  }

  /** Shadows cover the bodies wherever they go; in coarse steps, so that they do not shimmer. */
  update(bodies: Bodies): void {
    const { world } = this;
    if (!this.sun.castShadow && this.reach > 0) return;
    this.middle.copy(world.centre);
    let count = 0;
    for (const body of bodies.list)
      if (body.placed) {
        if (count++ === 0) this.middle.set(0, 0, 0);
        this.middle.add(body.toWorld(body.centre, this.point));
      }
    if (count > 0) this.middle.divideScalar(count);
    let far = 0;
    for (const body of bodies.list) if (body.placed) far = Math.max(far, body.toWorld(body.centre, this.point).distanceTo(this.middle));
    const wanted = Math.min(far + 0.45 * world.size, 8 * world.size);
    if (wanted > this.reach || wanted < 0.5 * this.reach) this.reach = 1.15 * wanted;
    const cell = this.reach / 8;
    this.middle.divideScalar(cell).round().multiplyScalar(cell);
    this.sun.target.position.copy(this.middle);
    this.sun.position.copy(this.middle).addScaledVector(this.towards, 4 * this.reach);
    const camera = this.sun.shadow.camera;
    const side = 1.1 * this.reach;
    if (camera.right !== side) {
      Object.assign(camera, { left: -side, right: side, top: side, bottom: -side, near: 0.5 * this.reach, far: 8 * this.reach });
      camera.up.copy(world.ahead);
      camera.updateProjectionMatrix();
      this.sun.shadow.normalBias = 0.0035 * this.reach;
    }
    this.sun.updateMatrixWorld();
    this.sun.target.updateMatrixWorld();
  }

  dispose(): void {
    this.sun.dispose();
  }
}
