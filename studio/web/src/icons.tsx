// Icons: strokes on a grid of 20, in the colour of the text around them.

const ring = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

const PATHS = {
  // time
  play: "M6.5 4.2v11.6l9-5.8z",
  pause: "M7 4.5v11M13 4.5v11",
  step: "M5 4.5v11l7.5-5.5zM15 4.5v11",
  back: "M15 4.5v11L7.5 10zM5 4.5v11",
  reset: "M4 10a6 6 0 1 1 1.8 4.3M4 15.5v-3.2h3.2",
  branch: `${ring(6, 5, 1.8)}${ring(6, 15, 1.8)}${ring(14, 7, 1.8)}M6 6.8v6.4M14 8.8c0 2.7-8 1.5-8 4.4`,
  present: "M4 10h9M9.5 6.2 13.3 10l-3.8 3.8M16 4.5v11",
  // editing
  undo: "M4.5 7.5h7a4 4 0 0 1 0 8H8M7.5 4.5l-3 3 3 3",
  redo: "M15.5 7.5h-7a4 4 0 0 0 0 8H12M12.5 4.5l3 3-3 3",
  cut: `${ring(5.5, 14.5, 2)}${ring(14.5, 14.5, 2)}M6.7 12.9 13.5 3.5M13.3 12.9 6.5 3.5`,
  lock: "M5.5 9.5h9v6.5h-9zM7.3 9.5V7a2.7 2.7 0 0 1 5.4 0v2.5",
  unlock: "M5.5 9.5h9v6.5h-9zM7.3 9.5V6.6a2.7 2.7 0 0 1 5.2-1",
  pinned: "M10 3.5v6.5M5 10h10l2 6.5H3z",
  free: `${ring(10, 10, 2)}M10 3v3M10 14v3M3 10h3M14 10h3`,
  trash: "M4 6h12M8 6V4h4v2M5.8 6l.8 10h6.8l.8-10M8.6 9v4.5M11.4 9v4.5",
  copy: "M7.5 7.5h8.5v8.5H7.5zM12.5 7.5V4H4v8.5h3.5",
  mirror: "M10 3v14M7.5 6 3.5 14h4zM12.5 6l4 8h-4z",
  array: "M3.5 3.5h4v4h-4zM12.5 3.5h4v4h-4zM3.5 12.5h4v4h-4zM12.5 12.5h4v4h-4z",
  rename: "M12.5 4.5l3 3L8 15l-3.8.8L5 12zM11 6l3 3",
  change: "M4 7h10l-2.5-2.5M16 13H6l2.5 2.5",
  // files
  file: "M5.5 3h6l3.5 3.5V17h-9.5zM11.5 3v3.5H15",
  open: "M3 6h4.5l1.5 1.5h8v8.5H3zM3 9.5h14",
  save: "M4 4h9.5L16 6.5V16H4zM7 4v4h5V4M7 16v-4.5h6V16",
  download: "M10 3.5v9M6.5 9.2 10 12.7l3.5-3.5M4 16.5h12",
  python: "M7 6.5 3.5 10 7 13.5M13 6.5l3.5 3.5-3.5 3.5M11.3 4.5 8.7 15.5",
  share: "M10 12.5v-9M6.8 6.5 10 3.3l3.2 3.2M4.5 10v6.5h11V10",
  // panels
  search: `${ring(9, 9, 4.5)}M12.3 12.3 16.5 16.5`,
  help: `${ring(10, 10, 7)}M7.9 8a2.1 2.1 0 1 1 3 1.9c-.7.3-.9.7-.9 1.5M10 13.7v.1`,
  sun: `${ring(10, 10, 3)}M10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7 6 6M14 14l1.3 1.3M4.7 15.3 6 14M14 6l1.3-1.3`,
  moon: "M15.8 12.3A6.5 6.5 0 0 1 7.7 4.2a6.5 6.5 0 1 0 8.1 8.1z",
  auto: `${ring(10, 10, 6.5)}M10 3.5v13M10 5.5h4M10 8h6M10 10.5h6.3M10 13h5.3`,
  close: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  more: `${ring(5, 10, 0.8)}${ring(10, 10, 0.8)}${ring(15, 10, 0.8)}`,
  right: "M8 5.5l4.5 4.5L8 14.5",
  down: "M5.5 8l4.5 4.5L14.5 8",
  left: "M12 5.5 7.5 10l4.5 4.5",
  plus: "M10 4.5v11M4.5 10h11",
  check: "M4.5 10.5 8.5 14.5 15.5 6",
  warning: "M10 3.5 17 16H3zM10 8v4M10 13.9v.1",
  error: `${ring(10, 10, 7)}M10 6.5v4.5M10 13.4v.1`,
  info: `${ring(10, 10, 7)}M10 9.5v4.5M10 6.6v.1`,
  panelLeft: "M3 4h14v12H3zM8 4v12",
  panelRight: "M3 4h14v12H3zM12 4v12",
  panelBottom: "M3 4h14v12H3zM3 11.5h14",
  chart: "M3.5 3.5v13h13M6.5 13l3-4.5 2.5 2 4-6",
  slider: `M3 10h7M15 10h2${ring(12.5, 10, 2.3)}`,
  sliders: `M3 6.5h3M10.6 6.5H17${ring(8.3, 6.5, 2)}M3 13.5h6.4M14 13.5h3${ring(11.7, 13.5, 2)}`,
  report: "M5 3.5h10v13H5zM7.5 7h5M7.5 10h5M7.5 13h3",
  gear: `${ring(10, 10, 2.5)}M10 2.8v2.5M10 14.7v2.5M2.8 10h2.5M14.7 10h2.5M4.9 4.9l1.8 1.8M13.3 13.3l1.8 1.8M4.9 15.1l1.8-1.8M13.3 6.7l1.8-1.8`,
  // picture
  frame: "M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13",
  grid: "M3.5 3.5h13v13h-13zM3.5 8h13M3.5 12.3h13M8 3.5v13M12.3 3.5v13",
  label: "M3.5 10 9 4.5h7.5v11H9zM9.5 10h.1",
  eye: `M2.5 10S5.3 5.2 10 5.2 17.5 10 17.5 10 14.7 14.8 10 14.8 2.5 10 2.5 10z${ring(10, 10, 2.1)}`,
  camera: `M3 6.5h3.5L8 4.5h4l1.5 2H17v9H3z${ring(10, 10.7, 2.6)}`,
  snap: "M4.5 4v6a5.5 5.5 0 0 0 11 0V4h-3.4v6a2.1 2.1 0 0 1-4.2 0V4zM4.5 7h3.4M12.1 7h3.4",
  trail: "M3 14.5c3 0 3-8 6.5-8s2.5 5 5 5M16.5 11.5h.1",
  cube: "M10 2.8 16.5 6.4v7.2L10 17.2 3.5 13.6V6.4zM3.5 6.4 10 10l6.5-3.6M10 10v7.2",
  velocity: "M3.5 16.5 15.5 4.5M9.5 4.5h6v6",
  // tools: bodies
  select: "M5 3.5 15.5 9l-4.6 1.5L8.5 15z",
  rod: `${ring(4.8, 15.2, 1.8)}${ring(15.2, 4.8, 1.8)}M6.1 13.9 13.9 6.1`,
  segment: `${ring(4.8, 15.2, 1.8)}${ring(15.2, 4.8, 1.8)}M6.1 13.9 13.9 6.1`,
  disc: `${ring(10, 10, 6.5)}${ring(10, 10, 0.7)}`,
  sphere: `${ring(10, 10, 6.5)}M3.5 10c0 1.6 3 2.7 6.5 2.7s6.5-1.1 6.5-2.7`,
  box: "M4 5.5h12v9H4z",
  cylinder: "M5 5.5v9c0 1.2 2.2 2 5 2s5-.8 5-2v-9M5 5.5c0-1.2 2.2-2 5-2s5 .8 5 2-2.2 2-5 2-5-.8-5-2z",
  capsule: "M7.5 6h5a4 4 0 0 1 0 8h-5a4 4 0 0 1 0-8z",
  polygon: "M10 3.5 16.5 8.2 14 16H6L3.5 8.2z",
  mesh: "M10 3.5 17 15.5H3zM10 3.5v12M6.5 9.5l3.5 6 3.5-6",
  point: ring(10, 10, 2.5),
  body: "M4 5.5h12v9H4z",
  // tools: joints and forces
  joint: `${ring(10, 10, 2.8)}M2.5 15.5 7.7 11.6M12.5 11.3l5 3.7`,
  hinge: `${ring(10, 10, 2.8)}M2.5 15.5 7.7 11.6M12.5 11.3l5 3.7`,
  ball: `${ring(10, 8.5, 3.2)}M4.5 8.5a5.5 5.5 0 0 0 11 0M10 14v3.5`,
  slide: "M2.5 13.5h15M6 6.5h8v4.5H6zM4 10h0",
  weld: "M3.5 6h7v8h-7zM10.5 4h6v12h-6zM8.5 8l4 4M12.5 8l-4 4",
  coupling: `${ring(7, 11.5, 3.8)}${ring(14.3, 6.7, 2.5)}`,
  imposed: "M3 13c2-8 4.5-8 7 0s5 8 7-3",
  spring: "M2.5 10H5l1.2-4 2.5 8 2.5-8 2.5 8L15 10h2.5",
  damper: "M2.5 10h5M7.5 6.5v7M7.5 6.5M5.5 5h8.5v10H5.5M14 10h3.5",
  motor: `${ring(10, 10, 6.5)}M7 12.7V7.3l3 3.2 3-3.2v5.4`,
  load: "M10 3.5v10M6.5 10l3.5 3.7 3.5-3.7M4 16.7h12",
  limit: "M4 4v12M16 4v12M6.5 10h7M8.5 7.8 6.3 10l2.2 2.2M11.5 7.8l2.2 2.2-2.2 2.2",
  force: "M3.5 16.5 15.5 4.5M9.5 4.5h6v6",
  flag: "M5.5 17V3.5M5.5 4.5h9l-2.5 3 2.5 3h-9",
  event: "M11 2.8 5 11.2h4.5L8.5 17.2 15 8.5h-4.5z",
  frames: "M5 15V4M5 15h11M5 15l5-4M3.5 5.5 5 4l1.5 1.5M14.5 13.5 16 15l-1.5 1.5",
  hand: "M6.5 10V5.7a1.2 1.2 0 0 1 2.4 0V9 4.5a1.2 1.2 0 0 1 2.4 0V9 5.5a1.2 1.2 0 0 1 2.4 0v5.8c0 3-1.7 5.2-4.3 5.2-2 0-3-1-4-3l-1.5-3.2c-.4-1 .9-1.8 1.7-.9z",
  // states
  broken: "M3 13l4-3M17 7l-4 3M8 5l1.2 2.5M12 15l-1.2-2.5M7 10l2.5 1M13 10l-2.5-1",
  closing: "M2.5 10h5M5.5 8l2 2-2 2M17.5 10h-5M14.5 8l-2 2 2 2",
  redundant: "M6 3.5v13M10 3.5v13M14 3.5v13",
  breakable: "M2.5 10h4l1.5-3 3.5 6 1.5-3h4.5",
} satisfies Record<string, string>;

export type IconName = keyof typeof PATHS;

export function hasIcon(name: string): name is IconName {
  return name in PATHS;
}

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The icon of a kind of joint or force. */
export function iconOfKind(kind: string, what: "joint" | "force"): IconName {
  if (what === "joint") {
    if (/imposed/.test(kind)) return "imposed";
    if (/pin_in_slot|slider|prismatic|cylindrical|point_on|planar/.test(kind)) return "slide";
    if (/fixed|rigid/.test(kind)) return "weld";
    if (/spherical|universal/.test(kind)) return "ball";
    if (/gear|rotor|helical|rolling|relation/.test(kind)) return "coupling";
    if (/distance/.test(kind)) return "rod";
    return "hinge";
  }
  if (/motor/.test(kind)) return "motor";
  if (/spring/.test(kind)) return "spring";
  if (/damp/.test(kind)) return "damper";
  if (/limit|contact|friction/.test(kind)) return "limit";
  if (/torque/.test(kind)) return "reset";
  return kind === "point_force" ? "load" : "force";
}
