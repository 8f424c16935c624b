// The picture of a mechanism: three.js behind a few verbs. Nothing is drawn unless something has changed.
import { Box3, CanvasTexture, Color, DirectionalLight, HemisphereLight, NeutralToneMapping, PCFShadowMap, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from "three";
import type { Paths, Primitive, SceneMessage } from "../protocol";
import { Arrows } from "./arrows";
import { Bodies } from "./bodies";
import { ForceSign } from "./forces";
import { FrameSign } from "./frames";
import { Ghost } from "./ghost";
import { Grid } from "./grid";
import { Hand } from "./hand";
import { Hud } from "./hud";
import { FixedSign, JointSign } from "./joints";
import { Labels } from "./labels";
import { Lights } from "./lights";
import { type Emphasis, Materials } from "./materials";
import { palette } from "./palette";
import { disposeParts } from "./parts";
import { type Found, Picking } from "./picking";
import { Pointer } from "./pointer";
import { type Covered, Rig } from "./rig";
import type { Sign, Stage } from "./sign";
import { Tools } from "./tools";
import { Trails } from "./trails";
import type { Hand as Told, StandardView, Stats, Tool, Vec, ViewEvents, ViewOptions } from "./types";
import "./view.css";
import { World } from "./world";

export class View {
  private chosen: ViewOptions = { dark: false, joints: true, frames: false, grid: true, shadows: true, labels: false, snap: true, trails: [] };
  private renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
  private among = new Scene();
  private above = new Scene(); // drawn over the bodies: signs inside of them are seen
  private world = new World();
  private rig = new Rig(this.world);
  private bodies = new Bodies();
  private grid = new Grid(this.world, this.rig);
  private lights = new Lights(this.world);
  private trails = new Trails();
  private drawnArrows = new Arrows();
  private ghost = new Ghost();
  private drawnHand = new Hand();
  private materials: Materials;
  private picking = new Picking(this.bodies, () => this.rig.camera);
  private over = document.createElement("div");
  private hud: Hud;
  private labels: Labels;
  private tools: Tools;
  private pointer: Pointer;
  private resizing: ResizeObserver;

  private scene: SceneMessage | null = null;
  private joints: JointSign[] = [];
  private forces: ForceSign[] = [];
  private frames: FrameSign[] = [];
  private fixed: FixedSign[] = [];
  private pickable: Sign[] = [];
  private selected: ReadonlySet<string> = new Set();
  private hovered: string | null = null;
  private followed: string | null = null;
  private lastCentre: Vector3 | null = null; // of the body that is followed, once it is known
  private lastPoses: Float32Array | null = null;
  private gravity = new Vector3();
  private stage: Stage = { bodies: this.bodies, world: this.world, unit: 1, down: new Vector3(0, -1, 0) };
  private scratch = new Vector3();
  private screen = new Vector3();
  private dirty = true;
  private moved = true; // bodies have, so shadows have
  private turned = true; // the camera has
  private wanted = 0;
  private before = 0;
  private count: Stats = { frames: 0, last: 0, packets: 0 };

  constructor(
    private box: HTMLElement,
    private on: ViewEvents,
  ) {
    if (getComputedStyle(box).position === "static") box.style.position = "relative";
    const canvas = this.renderer.domElement;
    canvas.className = "view-canvas";
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", "Mechanism");
    this.over.className = "view-over";
    const words = document.createElement("div");
    this.over.append(words);
    box.append(canvas, this.over);
    this.renderer.autoClear = false;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.materials = new Materials(palette(false, box), false);
    this.hud = new Hud(this.over, (direction) => {
      this.rig.from(this.scratch.fromArray(direction));
      this.redraw();
    });
    this.labels = new Labels(words, (p) => this.picking.project(p, this.screen));
    const light = new DirectionalLight(0xffffff, 1.6);
    light.position.set(-0.4, -0.5, 1);
    this.above.add(light, new HemisphereLight(0xffffff, 0xc5ccd6, 1.1));
    this.above.add(this.drawnArrows.group, this.drawnHand.group, this.ghost.group);
    this.among.add(this.bodies.group, this.grid.group, this.lights.group, this.trails.group);
    this.tools = new Tools({
      world: this.world,
      rig: this.rig,
      grid: this.grid,
      bodies: this.bodies,
      picking: this.picking,
      labels: this.labels,
      ghost: this.ghost,
      on,
      materials: () => this.materials,
      signs: () => this.pickable,
      snapping: () => this.chosen.snap,
      highlight: (name) => this.setHover(name),
      redraw: () => this.redraw(),
    });
    this.pointer = new Pointer({
      canvas,
      world: this.world,
      rig: this.rig,
      picking: this.picking,
      tools: this.tools,
      on,
      find: (x, y) => this.picking.find(x, y, this.pickable, this.world.planar),
      hover: (found) => this.hover(found),
      hand: (body, local, to) => this.drawnHand.hold(body, local, to),
      redraw: () => this.redraw(),
    });
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(box);
    canvas.addEventListener("webglcontextrestored", () => this.redraw());
    this.resize();
    this.theme();
    this.wanted = requestAnimationFrame(this.tick);
  }

  // --- what is shown ---

  show(scene: SceneMessage): void {
    const was = this.scene;
    const anew = !was || was.session !== scene.session || was.planar !== scene.planar;
    this.scene = scene;
    this.world.take(scene, anew);
    this.gravity.fromArray(scene.gravity);
    this.stage.down.copy(this.gravity);
    if (this.gravity.lengthSq() === 0) this.stage.down.set(0, -1, 0);
    if (!was || was.planar !== scene.planar) this.theme();
    else this.build();
    if (!anew) return;
    this.rig.begin();
    this.rig.covered = this.covered();
    this.rig.frame(this.world.box, true);
    this.lights.begin(this.chosen.shadows);
    this.grid.options(this.chosen.grid, this.chosen.shadows);
    this.tools.cancel();
    this.turned = true;
  }

  /** Everything anew in the colours of now. */
  private theme(): void {
    const { dark } = this.chosen;
    const planar = this.world.planar;
    this.bodies.clear();
    this.clearSigns();
    this.materials.dispose();
    this.materials = new Materials(palette(dark, this.box), planar);
    this.materials.resolution.set(this.picking.width, this.picking.height);
    if (this.scene && !planar && !this.among.environment) this.lights.surround(this.among, this.renderer); // in the plane nothing reflects
    const { colors } = this.materials;
    if (this.among.background instanceof CanvasTexture) this.among.background.dispose();
    this.among.background = planar ? new Color(colors.flat) : gradient(...colors.sky);
    this.over.toggleAttribute("data-dark", dark);
    this.grid.theme(colors, dark);
    this.grid.options(this.chosen.grid, this.chosen.shadows);
    this.drawnArrows.colors = colors;
    this.drawnHand.theme(this.materials);
    this.trails.set(this.chosen.trails, colors.accent);
    this.redraw();
    if (this.scene) this.build();
  }

  private build(): void {
    const scene = this.scene!;
    this.bodies.show(scene, this.materials, this.world.size);
    if (this.lastPoses && this.lastPoses.length === 7 * scene.bodies.length && !this.bodies.list.some((body) => body.placed)) this.bodies.place(this.lastPoses);
    this.drawnHand.rebind((name) => this.bodies.get(name));
    this.buildSigns(scene);
    this.emphasise();
    this.moved = true;
    this.redraw();
  }

  private buildSigns(scene: SceneMessage): void {
    const { materials } = this;
    const { planar } = this.world;
    this.clearSigns();
    this.joints = scene.joints
      .filter((joint) => !/^(lock|fix) /.test(joint.name))
      .map((joint, i) => new JointSign(joint, materials, i, planar));
    this.forces = scene.forces
      .filter((force) => force.look !== "grab")
      .map((force, i) => new ForceSign(force, materials, i, planar, (name) => this.joints.find((joint) => joint.name === name) ?? null));
    this.frames = scene.frames.map((frame, i) => new FrameSign(frame, materials, i, planar));
    this.fixed = scene.bodies.filter((body) => body.fixed).map((body, i) => new FixedSign(body.name, body.centre, materials, i, planar));
    for (const sign of this.signs()) {
      this.above.add(sign.above);
      this.among.add(sign.among);
    }
    this.reveal();
  }

  private signs(): Sign[] {
    return [...this.joints, ...this.forces, ...this.frames, ...this.fixed];
  }

  private clearSigns(): void {
    for (const sign of this.signs()) sign.dispose();
    this.joints = [];
    this.forces = [];
    this.frames = [];
    this.fixed = [];
    this.pickable = [];
  }

  /** Which signs are shown: those that are asked for, and what is selected. */
  private reveal(): void {
    const { joints, frames } = this.chosen;
    const shown = (sign: Sign) => {
      if (this.selected.has(sign.name) || sign instanceof ForceSign) return true;
      return sign instanceof FrameSign ? frames : joints && !(sign instanceof JointSign && sign.joint.unseen);
    };
    this.pickable = [];
    for (const sign of this.signs()) {
      const visible = shown(sign);
      if (visible) {
        this.above.add(sign.above);
        this.among.add(sign.among);
        if (!(sign instanceof FixedSign)) this.pickable.push(sign);
      } else sign.dispose();
    }
  }

  poses(version: number, time: number, x: Float32Array): void {
    this.count.packets++;
    if (!this.scene || version !== this.scene.version) return;
    this.bodies.place(x);
    this.lastPoses = x;
    this.trails.add(time, this.bodies, this.scene.past !== null);
    this.carry();
    this.moved = true;
    this.redraw();
  }

  paths(paths: Paths, restart: boolean): void {
    this.trails.record(paths, restart, 1e-4 * this.world.size);
    this.redraw();
  }

  arrows(names: string[], x: Float32Array): void {
    this.count.packets++;
    this.drawnArrows.take(names, x, (name) => this.bodies.get(name) !== null);
    const { force, velocity } = this.materials.colors;
    this.hud.arrows(this.drawnArrows, `#${force.getHexString()}`, `#${velocity.getHexString()}`);
    this.redraw();
  }

  hand(h: Told | null): void {
    this.drawnHand.tell(h);
    this.redraw();
  }

  // --- what is meant ---

  select(names: ReadonlySet<string>): void {
    this.selected = new Set(names);
    this.reveal();
    this.emphasise();
    this.redraw();
  }

  private hover(found: Found | null): void {
    const name = found ? (found.body ? found.body.data.name : found.sign.name) : null;
    if (!this.setHover(name)) return;
    this.renderer.domElement.style.cursor = name === null ? "" : "pointer";
    this.on.hover(name);
  }

  private setHover(name: string | null): boolean {
    if (name === this.hovered) return false;
    this.hovered = name;
    this.emphasise();
    this.redraw();
    return true;
  }

  private emphasise(): void {
    const of = (name: string): Emphasis => (this.selected.has(name) ? "selected" : name === this.hovered ? "hover" : "");
    for (const body of this.bodies.list) body.emphasise(of(body.data.name));
    for (const sign of this.pickable) sign.emphasise(of(sign.name));
  }

  options(o: Partial<ViewOptions>): void {
    const was = this.chosen;
    this.chosen = { ...was, ...o };
    const { dark, shadows, grid, trails } = this.chosen;
    if (dark !== was.dark) this.theme();
    if (shadows !== was.shadows) this.lights.begin(shadows);
    this.grid.options(grid, shadows);
    this.trails.set(trails, this.materials.colors.accent);
    this.reveal();
    this.emphasise();
    this.moved = true;
    this.redraw();
  }

  tool(t: Tool | null): void {
    this.renderer.domElement.style.cursor = t ? "crosshair" : "";
    this.tools.set(t);
  }

  // --- where it is looked from ---

  frame(names?: string[]): void {
    const box = new Box3();
    const all = !names || names.length === 0;
    const placed = this.bodies.list.some((body) => body.placed); // until they are, only their description says where they will be
    for (const body of this.bodies.list) if (body.placed && (all || names.includes(body.data.name))) body.bounds(box);
    if (placed) this.placeSigns();
    for (const sign of placed ? this.pickable : [])
      if (all || names.includes(sign.name)) {
        if (!all) box.expandByPoint(this.scratch.copy(sign.from).addScalar(0.04 * this.world.size)).expandByPoint(this.scratch.copy(sign.from).subScalar(0.04 * this.world.size));
        box.expandByPoint(sign.from).expandByPoint(sign.to);
      }
    this.rig.covered = this.covered();
    this.rig.frame(box.isEmpty() ? this.world.box : box);
    this.redraw();
  }

  /** Toolbars of the page along an edge of the picture. */
  private covered(): Covered {
    const picture = this.box.getBoundingClientRect();
    const covered = { left: 0, top: 0, right: 0, bottom: 0 };
    for (const bar of this.box.parentElement?.querySelectorAll(":scope > [role=toolbar]") ?? []) {
      const at = bar.getBoundingClientRect();
      if (at.height > 0.5 * picture.height) covered.left = Math.max(covered.left, at.right - picture.left);
      else if (at.width > 0.5 * picture.width) covered.top = Math.max(covered.top, at.bottom - picture.top);
    }
    return covered;
  }

  standard(view: StandardView): void {
    this.rig.standard(view);
    this.redraw();
  }

  follow(name: string | null): void {
    this.followed = name;
    this.lastCentre = null;
    this.carry();
    this.redraw();
  }

  private carry(): void {
    const body = this.bodies.get(this.followed);
    if (!body?.placed) return;
    body.toWorld(body.centre, this.scratch);
    if (this.lastCentre) this.rig.carry(this.screen.subVectors(this.scratch, this.lastCentre));
    else this.rig.look(this.scratch);
    (this.lastCentre ??= new Vector3()).copy(this.scratch);
    this.turned = true;
  }

  // --- for the page and its tests ---

  /** Page pixels where a click means the component, if there are any. */
  where(name: string): [number, number] | null {
    this.redrawNow();
    const body = this.bodies.get(name);
    const candidates: Vector3[] = [];
    if (body?.placed) {
      const { outline } = body.data;
      const put = (local: Vector3) => candidates.push(body.toWorld(local, local));
      put(body.centre.clone());
      for (const primitive of outline) {
        for (const p of extremes(primitive)) for (const share of [0.3, 0.6, 0.85]) put(body.centre.clone().lerp(p, share));
      }
    }
    const sign = this.pickable.find((s) => s.name === name);
    if (sign) for (const share of sign.segment ? [0.5, 0.3, 0.7] : []) candidates.push(sign.from.clone().lerp(sign.to, share));
    if (sign?.ring) for (const side of [1, -1]) candidates.push(sign.middle.clone().addScaledVector(this.rig.right, side * sign.ring * this.stage.unit));
    if (sign) candidates.push(sign.middle.clone());
    const hits = candidates.find((p) => {
      const at = this.picking.project(p, this.screen);
      const found = at && this.picking.find(at.x, at.y, this.pickable, this.world.planar);
      return found && (found.body ? found.body.data.name : found.sign.name) === name;
    });
    const best = hits ?? candidates[0];
    return best ? this.pixel(best.toArray()) : null;
  }

  /** Page pixels of a world point. */
  pixel(point: Vec): [number, number] {
    const canvas = this.renderer.domElement.getBoundingClientRect();
    const at = this.scratch.fromArray(point).project(this.rig.camera);
    return [canvas.left + ((at.x + 1) / 2) * canvas.width, canvas.top + ((1 - at.y) / 2) * canvas.height];
  }

  /** Points that are drawn of the trail of a body. */
  trail(name: string): number {
    return this.trails.count(name);
  }

  stats(): Stats {
    return { ...this.count };
  }

  image(): string {
    this.draw();
    return this.renderer.domElement.toDataURL("image/png");
  }

  dispose(): void {
    cancelAnimationFrame(this.wanted);
    this.resizing.disconnect();
    this.pointer.dispose();
    this.bodies.clear();
    this.clearSigns();
    this.materials.dispose();
    this.ghost.dispose();
    this.trails.dispose();
    this.drawnArrows.dispose();
    this.grid.dispose();
    this.lights.dispose();
    this.among.environment?.dispose();
    if (this.among.background instanceof CanvasTexture) this.among.background.dispose();
    disposeParts();
    this.renderer.dispose();
    this.renderer.domElement.remove();
    this.over.remove();
  }

  // --- drawing ---

  private redraw(): void {
    this.dirty = true;
  }

  private redrawNow(): void {
    if (this.dirty) this.draw();
  }

  private resize(): void {
    const width = this.box.clientWidth || 1;
    const height = this.box.clientHeight || 1;
    const ratio = Math.min(devicePixelRatio, 2);
    if (width === this.picking.width && height === this.picking.height && ratio === this.renderer.getPixelRatio()) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.materials.resolution.set(width, height);
    this.picking.width = width;
    this.picking.height = height;
    this.rig.resize(width, height);
    this.turned = true;
    // at once: a canvas that was resized is empty until it is drawn
    if (this.scene) this.draw();
    else this.redraw();
  }

  private tick = (now: number): void => {
    this.wanted = requestAnimationFrame(this.tick);
    this.pointer.tick();
    if (this.rig.update((now - this.before) / 1000)) this.turned = this.dirty = true;
    this.before = now;
    if (this.dirty && this.scene) this.draw(); // what is drawn before would be an empty space, with materials that a plane does not need
  };

  private draw(): void {
    const start = performance.now();
    const { rig } = this;
    this.dirty = false;
    if (this.turned) {
      this.turned = false;
      this.grid.update();
      this.hud.turn(rig, this.gravity, this.world.planar);
      this.hud.measure(this.grid.step, rig.pixel);
    }
    this.placeSigns();
    this.drawnArrows.update(rig.pixel);
    this.writeLabels();
    if (this.moved) {
      this.moved = false;
      this.lights.update(this.bodies);
      this.renderer.shadowMap.needsUpdate = true;
    }
    this.renderer.clear();
    this.renderer.render(this.among, rig.camera);
    this.renderer.clearDepth();
    this.renderer.render(this.above, rig.camera);
    this.count.frames++;
    this.count.last = performance.now() - start;
  }

  private placeSigns(): void {
    const { rig, stage } = this;
    // as large on the screen at any zoom, unless that is out of all proportion to the mechanism
    stage.unit = Math.min(8.5 * rig.pixel, 0.05 * this.world.size);
    this.picking.unit = stage.unit / rig.pixel;
    for (const sign of this.joints) sign.update(stage);
    for (const sign of this.forces) sign.update(stage);
    for (const sign of this.frames) sign.update(stage);
    for (const sign of this.fixed) sign.update(stage);
  }

  private writeLabels(): void {
    const { labels } = this;
    labels.begin();
    this.drawnHand.update(this.stage.unit, labels);
    for (const body of this.bodies.list) {
      const { name } = body.data;
      const chosen = body.emphasis !== "";
      if (body.placed && (chosen || (this.chosen.labels && !body.data.unseen)))
        labels.put(`b ${name}`, name, body.emphasis === "selected" ? "selected" : chosen ? "name" : "quiet", body.toWorld(body.centre, this.scratch));
    }
    for (const sign of this.pickable) {
      if (!sign.above.visible) continue;
      const chosen = sign.emphasis !== "";
      if (chosen || (this.chosen.labels && sign.what !== "frame"))
        labels.put(`s ${sign.name}`, sign.name, sign.emphasis === "selected" ? "selected" : chosen ? "name" : "quiet", sign.middle);
      else if (sign instanceof ForceSign && sign.label) labels.put(`s ${sign.name}`, sign.label, "function", sign.middle, 6, -20);
    }
    this.tools.label();
    labels.end();
  }
}

/** Some points at the rim of a primitive. */
function extremes(primitive: Primitive): Vector3[] {
  switch (primitive.kind) {
    case "box":
      return [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]].map(
        ([x, y, z]) => new Vector3(...primitive.position).add(new Vector3((x! * primitive.size[0]) / 2, (y! * primitive.size[1]) / 2, (z! * primitive.size[2]) / 2)),
      );
    case "disc":
    case "sphere":
      return [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0]].map((d) => new Vector3(...primitive.centre).addScaledVector(new Vector3(...d), primitive.radius));
    case "point":
      return [];
    default:
      return primitive.points.slice(0, 4).map((p) => new Vector3(...p));
  }
}

function gradient(top: string, bottom: string): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = 2;
  canvas.height = 256;
  const pen = canvas.getContext("2d")!;
  const fade = pen.createLinearGradient(0, 0, 0, 256);
  fade.addColorStop(0, top);
  fade.addColorStop(1, bottom);
  pen.fillStyle = fade;
  pen.fillRect(0, 0, 2, 256);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
