// A dialog over the page: keeps the focus inside, Escape and a click outside close it.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { wordsOf } from "../actions";
import { dialog } from "../store";
import { IconButton } from "./parts";

export function closeDialog(): void {
  dialog.value = null;
}

/** Closes the dialog that asks for it, not one that was opened before its answer came. */
export function useClosing(): () => void {
  const own = useRef(dialog.value);
  return () => {
    if (dialog.value === own.current) closeDialog();
  };
}

/** What a dialog asks the server for; a refusal stays in the dialog, in the server's words, until something else is tried. */
export function useAsking() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const attempt = async (action: () => Promise<unknown>) => {
    try {
      await action();
      return true;
    } catch (error) {
      setRefusal(wordsOf(error));
      return false;
    }
  };
  return { refusal, attempt, forget: () => setRefusal(null) };
}

/** Attributes of the field that a refusal is about. */
export function blamed(refusal: string | null) {
  return refusal === null ? {} : { "aria-invalid": true, "aria-describedby": "refusal" };
}

export function Refusal({ text }: { text: string | null }) {
  return text === null ? null : <p class="refusal" id="refusal" role="alert" data-testid="refusal">{text}</p>;
}

export function Modal({ title, wide = false, bare = false, children }: { title: string; wide?: boolean; bare?: boolean; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => { // before the next key arrives
    const element = box.current!;
    element.showModal();
    element.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={`modal ${wide ? "wide" : ""} ${bare ? "bare" : ""}`}
      aria-label={title}
      data-testid="dialog"
      onCancel={(event) => {
        event.preventDefault();
        closeDialog();
      }}
      onPointerDown={(event) => {
        if (event.target === box.current) closeDialog(); // the backdrop belongs to the dialog
      }}
    >
      <div class="modal-body">
        {!bare && (
          <header>
            <h2>{title}</h2>
            <IconButton icon="close" title="Close" testid="dialog.close" onClick={closeDialog} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
