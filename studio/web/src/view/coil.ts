// Material of coils: the wire keeps its thickness however the coil is stretched (see parts.coil).
import { type Color, MeshBasicMaterial, type MeshDepthMaterial, MeshStandardMaterial, type Material } from "three";
import { MeshDepthMaterial as DepthMaterial, RGBADepthPacking } from "three";

const WIRE = 0.15; // radius of the wire, of that of the coil

/** Scales are read from the matrix, so that one material serves all coils. */
function patch<M extends Material>(material: M): M {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvec3 stretch() { return vec3(length(modelMatrix[0].xyz), length(modelMatrix[1].xyz), length(modelMatrix[2].xyz)); }")
      .replace("#include <beginnormal_vertex>", "#include <beginnormal_vertex>\nobjectNormal = normal * stretch();")
      .replace("#include <begin_vertex>", `#include <begin_vertex>\ntransformed += normal * ${WIRE} * stretch().x / stretch();`);
  };
  material.customProgramCacheKey = () => "coil";
  return material;
}

export function coilMaterial(color: Color, planar: boolean): Material {
  return planar
    ? patch(new MeshBasicMaterial({ color, transparent: true, depthTest: false, toneMapped: false }))
    : patch(new MeshStandardMaterial({ color, roughness: 0.35, metalness: 0.55 }));
}

export function coilShadow(): MeshDepthMaterial {
  return patch(new DepthMaterial({ depthPacking: RGBADepthPacking }));
}
