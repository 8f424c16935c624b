// What can be chosen about solvers, and which choices go together.

import type { Family, Request, Solver } from "../protocol";

export const FAMILIES: { family: Family; title: string; text: string }[] = [
  { family: "central", title: "Central", text: "One system of equations for the whole mechanism; any joint, many integrators." },
  { family: "recursive", title: "Recursive", text: "Joint coordinates along the tree; fastest for chains and robots." },
  { family: "modular", title: "Modular", text: "Every body advances itself and trades forces in the joints." },
];

const IMPLICIT = ["newmark", "hht", "generalized-alpha"];
const SCIPY = ["RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"];

export function formulations(family: Family): string[] {
  return family === "central" ? ["projected", "baumgarte", "augmented", "index3"] : [];
}

export function integrators(family: Family, formulation: string | null): string[] {
  if (family === "modular") return [];
  if (family === "recursive") return ["adaptive", "rk4"];
  if (formulation === "index3") return IMPLICIT;
  return ["adaptive", "rk4", ...(formulation === "projected" ? [] : IMPLICIT), ...SCIPY];
}

/** Whether the user gives the step; otherwise the integrator chooses it, by its tolerance. */
export function fixedStep(family: Family, integrator: string | null): boolean {
  return family === "modular" || integrator === "rk4" || IMPLICIT.includes(integrator ?? "");
}

/** A complete choice after a change of one part: what no longer goes together is replaced, what does not apply is left out. */
export function solverRequest(now: Solver, change: Partial<Solver>): Extract<Request, { do: "solver" }> {
  const family = change.family ?? now.family;
  const pick = (list: string[], ...wanted: (string | null | undefined)[]) => wanted.find((name) => name && list.includes(name)) ?? list[0];
  const formulation = pick(formulations(family), change.formulation, now.formulation);
  const integrator = pick(integrators(family, formulation ?? null), change.integrator, now.integrator);
  const request: Extract<Request, { do: "solver" }> = { do: "solver", family };
  if (formulation) request.formulation = formulation;
  if (integrator) request.integrator = integrator;
  if (fixedStep(family, integrator ?? null)) request.step = change.step ?? now.step ?? 1e-3;
  else request.rtol = change.rtol ?? now.rtol ?? 1e-9;
  if (family === "modular" && change.tolerance !== undefined && change.tolerance !== null) request.tolerance = change.tolerance;
  return request;
}
