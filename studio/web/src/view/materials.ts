// Materials, shared by everything that looks the same. One set per theme and kind of scene; it is dropped as a whole.
import {
  BackSide,
  Color,
  DoubleSide,
  LineBasicMaterial,
  Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  ShaderMaterial,
  Vector2,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { shade, type Palette } from "./palette";

export type Emphasis = "" | "hover" | "selected";

export class Materials {
  private made = new Map<string, Material>();
  /** Size of the canvas in pixels, for outlines of a constant width. */
  readonly resolution = new Vector2(1, 1);

  constructor(
    readonly colors: Palette,
    readonly planar: boolean,
  ) {}

  private once<M extends Material>(key: string, make: () => M): M {
    let material = this.made.get(key) as M | undefined;
    if (!material) this.made.set(key, (material = make()));
    return material;
  }

  /** A material made elsewhere, kept with the others. */
  shared(key: string, make: () => Material): Material {
    return this.once(key, make);
  }

  /** Faces of a body. */
  body(color: string, emphasis: Emphasis): Material {
    return this.once(`body ${color} ${emphasis}`, () => {
      const base = parse(color);
      const glow = (emphasis === "selected" ? 0.16 : emphasis === "hover" ? 0.09 : 0) * (this.planar ? 0.7 : 1); // in the plane the outline says it
      base.lerp(this.colors.accent, glow);
      if (this.planar)
        // painted in order, like paper on paper: depth says nothing in a plane
        return new MeshBasicMaterial({ color: base.lerp(new Color(this.colors.flat), 0.22), transparent: true, depthTest: false, side: DoubleSide, toneMapped: false });
      return new MeshStandardMaterial({
        color: base,
        roughness: 0.55,
        metalness: 0.05,
        side: DoubleSide,
        emissive: this.colors.accent,
        emissiveIntensity: glow * 0.8,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      });
    });
  }

  /** Lines of a body in space: edges, spokes. */
  edges(color: string): Material {
    return this.once(`edges ${color}`, () => new LineBasicMaterial({ color: shade(parse(color), this.colors.lines - 0.1), transparent: true, opacity: 0.55, toneMapped: false }));
  }

  /** Lines of a body in the plane: its outline, spokes. */
  border(color: string, emphasis: Emphasis): LineMaterial {
    return this.once(`border ${color} ${emphasis}`, () => {
      const line = emphasis ? this.colors.accent : shade(parse(color), this.colors.lines);
      const width = emphasis === "selected" ? 2.6 : emphasis === "hover" ? 2.2 : 1.5;
      return new LineMaterial({ color: line, linewidth: width, transparent: true, depthTest: false, toneMapped: false });
    });
  }

  mark(color: string): Material {
    return this.once(`mark ${color}`, () => new MeshStandardMaterial({ color: shade(parse(color), -0.45), roughness: 0.6 }));
  }

  /** A shell some pixels larger than the body, seen around it only. */
  hull(emphasis: Emphasis): Material {
    return this.once(
      `hull ${emphasis}`,
      () =>
        new ShaderMaterial({
          side: BackSide,
          uniforms: {
            color: { value: emphasis === "selected" ? this.colors.accent : this.colors.hover },
            width: { value: emphasis === "selected" ? 2.5 : 1.75 },
            resolution: { value: this.resolution },
          },
          vertexShader: `uniform float width; uniform vec2 resolution;
            void main() {
              vec4 at = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
              vec2 out2 = (projectionMatrix * vec4(normalMatrix * normal, 0.0)).xy;
              if (dot(out2, out2) > 0.0) at.xy += normalize(out2 * resolution) * 2.0 * width * at.w / resolution;
              gl_Position = at;
            }`,
          fragmentShader: `uniform vec3 color; void main() { gl_FragColor = vec4(color, 1.0);
            #include <colorspace_fragment>
          }`,
          toneMapped: false,
        }),
    );
  }

  /** Faces of symbols: lit in space, plain in the plane. */
  symbol(color: Color, opacity = 1): Material {
    return this.once(`symbol ${color.getHexString()} ${opacity}`, () => {
      const common = { color, side: DoubleSide, transparent: opacity < 1 || this.planar, opacity, toneMapped: false, depthWrite: opacity === 1 };
      return this.planar ? new MeshBasicMaterial({ ...common, depthTest: false }) : new MeshLambertMaterial({ ...common, emissive: color, emissiveIntensity: 0.22 });
    });
  }

  /** Faces that are one colour wherever the light is. */
  plain(color: Color, opacity = 1): Material {
    return this.once(
      `plain ${color.getHexString()} ${opacity}`,
      () => new MeshBasicMaterial({ color, side: DoubleSide, transparent: true, opacity, toneMapped: false, depthTest: !this.planar, depthWrite: false }),
    );
  }

  line(color: Color, opacity = 1): LineBasicMaterial {
    return this.once(
      `line ${color.getHexString()} ${opacity}`,
      () => new LineBasicMaterial({ color, transparent: true, opacity, toneMapped: false, depthTest: !this.planar }),
    );
  }

  dispose(): void {
    for (const material of this.made.values()) material.dispose();
    this.made.clear();
  }
}

const FALLBACK = new Color("#8794a8");

/** Any colour of CSS that three knows; others are grey, without a warning for each. */
function parse(color: string): Color {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) || color.toLowerCase() in Color.NAMES || /^(rgb|hsl)\(/.test(color) ? new Color(color) : FALLBACK.clone();
}
