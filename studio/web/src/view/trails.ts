// Trails: where the centres of bodies have been, fading.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Line, ShaderMaterial, Vector3 } from "three";
import type { Paths } from "../protocol";
import { ORDER, type Bodies } from "./bodies";
import { Track } from "./track";

const LENGTH = 1500; // points of a trail

class Trail {
  readonly line: Line<BufferGeometry, ShaderMaterial>;
  readonly track = new Track();
  private points = new Float32Array(3 * LENGTH);
  private attribute = new BufferAttribute(this.points, 3).setUsage(DynamicDrawUsage);

  constructor(color: Color) {
    const numbers = Float32Array.from({ length: LENGTH }, (_, i) => i);
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
    this.draw(-Infinity);
  }

  /** Up to a time. */
  draw(time: number): void {
    const count = this.track.write(this.points, time);
    this.attribute.needsUpdate = true;
    this.line.material.uniforms.end!.value = count;
    this.line.geometry.setDrawRange(0, count);
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
  private time = -Infinity; // that is shown

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

  /** What was computed, as the server tells it; `restart`: this is all there is. */
  record({ t, paths }: Paths, restart: boolean, least: number): void {
    for (const [name, trail] of this.trails) {
      const path = paths[name];
      if (restart || path === undefined) trail.track.clear();
      if (path !== undefined) trail.track.record(t, path, least);
      trail.draw(this.time);
    }
  }

  /** Bodies are drawn where they are at a time; `past`: one of the past, up to which the record goes. */
  add(time: number, bodies: Bodies, past: boolean): void {
    this.time = time;
    for (const [name, trail] of this.trails) {
      const body = bodies.get(name);
      if (body?.placed && !past) trail.track.add({ time, x: body.toWorld(body.centre, new Vector3()), q: body.quaternion.clone() });
      trail.draw(time);
    }
  }

  /** How many points are drawn of a body's. */
  count(name: string): number {
    return this.trails.get(name)?.line.geometry.drawRange.count ?? 0;
  }

  dispose(): void {
    for (const trail of this.trails.values()) trail.dispose();
    this.trails.clear();
  }
}
