import { Vector3 } from "three";
import { expect, it } from "vitest";
import { contact } from "./contact";

const v = (x: number, y: number, z: number) => new Vector3(x, y, z);

function near(found: Vector3, x: number, y: number, z: number): void {
  found.toArray().forEach((value, i) => expect(value).toBeCloseTo([x, y, z][i]!));
}

it("an upright disc touches the plane below its centre", () => {
  near(contact(v(0, 0, 0), v(0, 0, 1), v(3, 4, 0.5), v(0, 1, 0), v(0, 0, 0)), 3, 4, 0);
  near(contact(v(0, 0, 0), v(0, 1, 0), v(3, 0.5, 0), v(0, 0, 1), v(0, 0, 0)), 3, 0, 0);
});

it("a disc that leans touches it where its rim is lowest", () => {
  // of radius 1, leaning by 30° from upright towards +x: the centre is cos 30° above the plane, the contact sin 30° behind
  const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
  near(contact(v(9, 9, 0), v(0, 0, 1), v(0, 0, c), v(c, 0, -s), v(0, 0, 0)), -s, 0, 0);
});

it("one that lies flat is taken to touch below its centre", () => {
  near(contact(v(0, 0, 0), v(0, 0, 1), v(1, 2, 0.1), v(0, 0, 1), v(0, 0, 0)), 1, 2, 0);
});
