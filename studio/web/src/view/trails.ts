// Trails: where the centres of bodies have been, fading. Smooth, however far apart the moments are that arrive.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Line, ShaderMaterial, Vector3 } from "three";
import { Bend } from "./bend";
import { ORDER, type Bodies, type Body } from "./bodies";

const LENGTH = 900; // points of a trail

class Trail {
  readonly line: Line<BufferGeometry, ShaderMaterial>;
  // twice as long as the trail: points are moved to its front once in LENGTH times only
  private points = new Float32Array(3 * 2 * LENGTH);
  private attribute = new BufferAttribute(this.points, 3).setUsage(DynamicDrawUsage);
  private end = 0;
  private final = 0; // points that do not change any more
  private bend = new Bend();
  private last = new Vector3(Infinity, 0, 0);

  constructor(color: Color) {
    const numbers = Float32Array.from({ length: 2 * LENGTH }, (_, i) => i);
    const geometry = new BufferGeometry().setAttribute("position", this.attribute).setAttribute("number", new BufferAttribute(numbers, 1));
    const material = new ShaderMaterial({
      uniforms: { color: { value: color }, end: { value: 0 } },
      transparent: true,
      depthWrite: false,
      toneMapped: false,
      vertexShader: `attribute float number; uniform float end; varying float fresh;
        void main() { fresh = 1.0 - (end - number) / ${LENGTH}.0; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `uniform vec3 color; varying float fresh;
        void main() { gl_FragColor = vec4(color, clamp(fresh, 0.0, 1.0) * 0.9);
          #include <colorspace_fragment>
        }`,
    });
    this.line = new Line(geometry, material);
    this.line.frustumCulled = false;
    this.line.renderOrder = ORDER.trails;
    this.clear();
  }

  add(time: number, body: Body, least: number): void {
    const x = body.toWorld(body.centre, new Vector3());
    if (x.distanceTo(this.last) < least) return;
    this.last.copy(x);
    const { final, open } = this.bend.add({ time, x, q: body.quaternion.clone() });
    this.end = this.final;
    this.put(final);
    this.final = this.end;
    this.put(open);
    this.attribute.needsUpdate = true;
    this.line.material.uniforms.end!.value = this.end;
    const start = Math.max(0, this.end - LENGTH);
    this.line.geometry.setDrawRange(start, this.end - start);
  }

  private put(more: readonly Vector3[]): void {
    const { points } = this;
    if (this.end + more.length > 2 * LENGTH) {
      const gone = this.end - LENGTH;
      points.copyWithin(0, 3 * gone);
      this.end -= gone;
      this.final -= gone;
    }
    for (const p of more) p.toArray(points, 3 * this.end++);
  }

  clear(): void {
    this.end = this.final = 0;
    this.bend = new Bend();
    this.last.x = Infinity;
    this.line.geometry.setDrawRange(0, 0);
  }

  dispose(): void {
    this.line.removeFromParent();
    this.line.geometry.dispose();
    this.line.material.dispose();
  }
}

export class Trails {
  readonly group = new Group();
  private trails = new Map<string, Trail>();
  private time = -Infinity;

  set(names: string[], color: Color): void {
    for (const [name, trail] of this.trails)
      if (!names.includes(name)) {
        trail.dispose();
        this.trails.delete(name);
      }
    for (const name of names) {
      const known = this.trails.get(name);
      if (known) known.line.material.uniforms.color!.value = color;
      else {
        const trail = new Trail(color);
        this.trails.set(name, trail);
        this.group.add(trail.line);
      }
    }
  }

  add(time: number, bodies: Bodies, least: number): void {
    if (time < this.time) for (const trail of this.trails.values()) trail.clear(); // history was rewound
    this.time = time;
    for (const [name, trail] of this.trails) {
      const body = bodies.get(name);
      if (body?.placed) trail.add(time, body, least);
    }
  }

  dispose(): void {
    for (const trail of this.trails.values()) trail.dispose();
    this.trails.clear();
  }
}
