// Trails: where the centres of bodies have been, fading.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Line, ShaderMaterial, Vector3 } from "three";
import { ORDER, type Bodies } from "./bodies";

const LENGTH = 900; // points of a trail

class Trail {
  readonly line: Line<BufferGeometry, ShaderMaterial>;
  // twice as long as the trail: points are moved to its front once in LENGTH times only
  private points = new Float32Array(3 * 2 * LENGTH);
  private attribute = new BufferAttribute(this.points, 3).setUsage(DynamicDrawUsage);
  private end = 0;

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

  add(p: Vector3, least: number): void {
    const { points } = this;
    const last = 3 * (this.end - 1);
    if (this.end > 0 && Math.hypot(p.x - points[last]!, p.y - points[last + 1]!, p.z - points[last + 2]!) < least) return;
    if (this.end === 2 * LENGTH) {
      points.copyWithin(0, 3 * LENGTH);
      this.end = LENGTH;
    }
    p.toArray(points, 3 * this.end++);
    this.attribute.needsUpdate = true;
    this.line.material.uniforms.end!.value = this.end;
    const start = Math.max(0, this.end - LENGTH);
    this.line.geometry.setDrawRange(start, this.end - start);
  }

  clear(): void {
    this.end = 0;
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
  private point = new Vector3();

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
      if (body?.placed) trail.add(body.toWorld(body.centre, this.point), least);
    }
  }

  dispose(): void {
    for (const trail of this.trails.values()) trail.dispose();
    this.trails.clear();
  }
}
