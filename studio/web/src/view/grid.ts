// The ground: a grid whose step follows the zoom, and shadows on it.
import { Color, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector3, Matrix4 } from "three";
import { ORDER } from "./bodies";
import type { Palette } from "./palette";
import type { Rig } from "./rig";
import { divisions, stepAbove } from "./scale";
import type { World } from "./world";

export class Grid {
  readonly group = new Group();
  /** Between heavy lines, and between thin ones [m]. */
  step = 1;
  fine = 0.2;
  private uniforms = {
    color: { value: new Color() },
    step: { value: 1 },
    fine: { value: 0.2 },
    centre: { value: new Vector3() }, // of the fading, in the plane of the grid from the middle of the quad
    reach: { value: 1 },
    strength: { value: 1 },
    origin: { value: new Vector3() }, // of the world, in the same way: its axes are heavier
  };
  private material = new ShaderMaterial({
    uniforms: this.uniforms,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    toneMapped: false,
    vertexShader: `varying vec2 at; uniform float reach;
      void main() { at = position.xy * reach; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
    fragmentShader: `varying vec2 at; uniform vec3 color, centre, origin; uniform float step, fine, reach, strength;
      float lines(vec2 p, float every, float width) {
        vec2 q = p / every;
        vec2 slope = max(fwidth(q), 1e-6);
        vec2 near = abs(fract(q - 0.5) - 0.5) / slope;
        vec2 line = 1.0 - clamp(near - 0.5 * (width - 1.0), 0.0, 1.0);
        line *= 1.0 - smoothstep(0.15, 0.45, slope); // too dense to be lines
        return max(line.x, line.y);
      }
      void main() {
        float far = length(at - centre.xy) / reach;
        float fade = 1.0 - smoothstep(0.3, 0.95, far);
        vec2 o = abs(at - origin.xy) / max(fwidth(at), 1e-12);
        float axes = 1.0 - clamp(min(o.x, o.y) - 0.25, 0.0, 1.0);
        float alpha = max(max(0.11 * lines(at, fine, 1.0), 0.24 * lines(at, step, 1.0)), 0.42 * axes) * fade * strength;
        if (alpha < 0.003) discard;
        gl_FragColor = vec4(color, alpha);
        #include <colorspace_fragment>
      }`,
  });
  private quad = new Mesh(new PlaneGeometry(2, 2), this.material);
  private shadows = new Mesh(this.quad.geometry, new ShadowMaterial({ opacity: 0.16, transparent: true, depthWrite: false, color: 0x0b1220 }));
  private turn = new Matrix4();
  private middle = new Vector3();
  private scale = new Vector3();

  constructor(
    private world: World,
    private rig: Rig,
  ) {
    for (const mesh of [this.quad, this.shadows]) {
      mesh.matrixAutoUpdate = mesh.frustumCulled = false;
      mesh.renderOrder = ORDER.grid;
      mesh.raycast = () => undefined;
    }
    this.shadows.receiveShadow = true;
    this.group.add(this.quad, this.shadows);
  }

  theme(colors: Palette, dark: boolean): void {
    this.uniforms.color.value = colors.grid;
    this.uniforms.strength.value = dark ? 1.1 : 1;
    this.shadows.material.opacity = dark ? 0.4 : 0.17;
    this.material.depthTest = !this.world.planar;
  }

  options(grid: boolean, shadows: boolean): void {
    this.quad.visible = grid;
    this.shadows.visible = shadows && !this.world.planar;
  }

  /** Follows the camera: the quad is moved by whole steps, so that the lines stay where they are and small numbers are exact. */
  update(): void {
    const { world, rig } = this;
    this.step = stepAbove(90 * rig.pixel);
    this.fine = this.step / divisions(this.step);
    const { right, ahead, up } = world;
    const [u, v] = [rig.target.dot(right), rig.target.dot(ahead)];
    const big = 10 * this.step;
    const [a, b] = [Math.round(u / big) * big, Math.round(v / big) * big];
    // seen at a flat angle the ground goes on far; in the plane the picture only has to be filled
    const reach = (world.planar ? 3 * Math.max(1, rig.width / rig.pixels) : 4) * Math.max(rig.height, world.planar ? 0 : 0.6 * world.size);
    this.uniforms.step.value = this.step;
    this.uniforms.fine.value = this.fine;
    this.uniforms.reach.value = reach;
    this.uniforms.centre.value.set(u - a, v - b, 0);
    this.uniforms.origin.value.set(-a, -b, 0);
    this.middle.set(0, 0, 0).addScaledVector(right, a).addScaledVector(ahead, b).addScaledVector(up, world.floor);
    this.turn.makeBasis(right, ahead, up).setPosition(this.middle);
    this.quad.matrix.copy(this.turn).scale(this.scale.setScalar(reach));
    this.shadows.matrix.copy(this.quad.matrix);
    this.quad.matrixWorldNeedsUpdate = this.shadows.matrixWorldNeedsUpdate = true;
  }

  dispose(): void {
    this.quad.geometry.dispose();
    this.material.dispose();
    this.shadows.material.dispose();
  }
}
