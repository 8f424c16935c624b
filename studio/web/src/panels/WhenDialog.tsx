// Awaits an event: a quantity of a component, a limit, and what is done when it comes true. All of it is data.

import { useEffect, useState } from "preact/hooks";

import * as act from "../actions";
import { evaluate } from "../logic/expression";
import { readable } from "../logic/format";
import { isHelper, whatIs } from "../logic/tree";
import type { Deed, Quantity } from "../protocol";
import { ask } from "../session";
import * as store from "../store";
import { Modal, closeDialog, useClosing } from "./Modal";

const DEEDS: { does: Deed; title: string }[] = [
  { does: "pause", title: "pause" },
  { does: "mark", title: "mark it on the time line" },
  { does: "cut", title: "cut" },
  { does: "lock", title: "lock" },
];

/** Joints and forces that can be cut, joints that can be locked; that of the menu first. */
function targets(does: Deed, name: string): string[] {
  const scene = store.scene.value;
  if (!scene || (does !== "cut" && does !== "lock")) return [];
  const joints = scene.joints.map((joint) => joint.name).filter((joint) => !isHelper(joint));
  const all = does === "cut" ? [...joints, ...scene.forces.filter((force) => force.look !== "grab").map((force) => force.name)] : joints;
  return all.includes(name) ? [name, ...all.filter((other) => other !== name)] : all;
}

export function WhenDialog({ name }: { name: string }) {
  const [found, setFound] = useState<Quantity[] | null>(null);
  const [quantity, setQuantity] = useState("");
  const [than, setThan] = useState<"above" | "below">("above");
  const [typed, setTyped] = useState("100");
  const [does, setDoes] = useState<Deed>("pause");
  const [target, setTarget] = useState("");
  const [every, setEvery] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const close = useClosing();
  useEffect(() => {
    let there = true;
    act.watchable(name).then(
      (list) => {
        if (!there) return;
        setFound(list);
        const isJoint = whatIs(store.scene.value, name) === "joint";
        setQuantity((list.find((each) => isJoint && each.quantity === `${name}.force`) ?? list[0])?.quantity ?? "");
      },
      (refusal: unknown) => there && setError(refusal instanceof Error ? refusal.message : String(refusal)),
    );
    return () => void (there = false);
  }, []);
  const choices = targets(does, name);
  const chosen = choices.includes(target) ? target : (choices[0] ?? "");
  const needsTarget = does === "cut" || does === "lock";
  const limit = evaluate(typed);
  const good = quantity !== "" && limit !== null && (!needsTarget || chosen !== "");
  const unit = found?.find((each) => each.quantity === quantity)?.unit;
  const send = async () => {
    if (!good) return;
    try {
      await ask({ do: "when", quantity, than, limit, does, target: needsTarget ? chosen : "", once: needsTarget || !every });
      close();
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : String(refusal));
    }
  };
  return (
    <Modal title={`When … of ${name || "the mechanism"}`}>
      <form class="when" onSubmit={(event) => { event.preventDefault(); void send(); }}>
        <label class="stack">When
          <select data-autofocus data-testid="when.quantity" value={quantity} onChange={(event) => setQuantity(event.currentTarget.value)}>
            {(found ?? []).map((each) => <option key={each.quantity} value={each.quantity}>{readable(each.label)}{each.unit ? ` [${each.unit}]` : ""}</option>)}
          </select>
        </label>
        <div class="pair">
          <select aria-label="Exceeds or falls below" data-testid="when.than" value={than} onChange={(event) => setThan(event.currentTarget.value as "above" | "below")}>
            <option value="above">exceeds</option>
            <option value="below">falls below</option>
          </select>
          <input type="text" inputMode="decimal" aria-label={`Limit${unit ? ` in ${unit}` : ""}`} data-testid="when.limit" value={typed} aria-invalid={limit === null} onInput={(event) => setTyped(event.currentTarget.value)} />
          <span class="unit">{unit}</span>
        </div>
        <div class="pair">
          <select aria-label="What is done" data-testid="when.does" value={does} onChange={(event) => setDoes(event.currentTarget.value as Deed)}>
            {DEEDS.filter((deed) => targets(deed.does, name).length > 0 || deed.does === "pause" || deed.does === "mark").map((deed) => <option key={deed.does} value={deed.does}>{deed.title}</option>)}
          </select>
          {needsTarget && (
            <select aria-label={`What to ${does}`} data-testid="when.target" value={chosen} onChange={(event) => setTarget(event.currentTarget.value)}>
              {choices.map((choice) => <option key={choice} value={choice}>{choice}</option>)}
            </select>
          )}
        </div>
        {!needsTarget && <label class="check"><input type="checkbox" data-testid="when.every" checked={every} onChange={(event) => setEvery(event.currentTarget.checked)} />every time, not only the first</label>}
        {error && <p class="error" role="alert" data-testid="when.error">{error}</p>}
        {found?.length === 0 && <p class="note">Nothing of it can be watched.</p>}
        <footer><button type="button" class="button outlined" onClick={closeDialog}>Cancel</button><button type="submit" class="button primary" disabled={!good} data-testid="when.ok">Await</button></footer>
      </form>
    </Modal>
  );
}
