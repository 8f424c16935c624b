// The connection to the server: numbered requests become promises, messages are dispatched, a lost connection is taken up again.

import { decodePacket, type AnswerMessage, type Packet, type Request, type ServerMessage } from "./protocol";

export type LinkState = "connecting" | "open" | "lost";

export interface LinkEvents {
  message(message: Exclude<ServerMessage, AnswerMessage>): void;
  packet(packet: Packet): void;
  state(state: LinkState, retryIn: number): void; // retryIn: seconds until the next attempt, when lost
}

/** What the server said about a request that it refused, in its own words. */
export class Refusal extends Error {}

const LONGEST_PAUSE = 8; // seconds between attempts

/** Seconds to wait before the n-th attempt (0, 1, …): doubling, up to a limit. */
export function pauseBefore(attempt: number): number {
  return Math.min(LONGEST_PAUSE, 0.5 * 2 ** attempt);
}

interface Waiting {
  resolve(data: unknown): void;
  reject(error: Error): void;
}

export class Link {
  private socket: WebSocket | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private attempt = 0;
  private timer = 0;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly on: LinkEvents,
  ) {
    this.connect();
  }

  /** Ask the server to do something; the promise has its data, or is rejected with a Refusal that carries its sentence. */
  request<T = unknown>(request: Request): Promise<T> {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refusal("There is no connection to the server at the moment."));
    const id = this.next++;
    socket.send(JSON.stringify({ id, ...request }));
    return new Promise<T>((resolve, reject) => this.waiting.set(id, { resolve: resolve as (data: unknown) => void, reject }));
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Try at once, without waiting for the next attempt. */
  retry(): void {
    window.clearTimeout(this.timer);
    if (!this.isOpen) this.connect();
  }

  close(): void {
    this.closed = true;
    window.clearTimeout(this.timer);
    this.socket?.close();
  }

  private connect(): void {
    this.on.state("connecting", 0);
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.on.state("open", 0);
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") this.text(JSON.parse(event.data) as ServerMessage);
      else {
        this.on.packet(decodePacket(event.data));
        socket.send('{"do":"ack"}'); // the server holds packets back until earlier ones are drawn
      }
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      for (const { reject } of this.waiting.values()) reject(new Refusal("The connection was lost before the server answered."));
      this.waiting.clear();
      if (this.closed) return;
      const pause = pauseBefore(this.attempt++);
      this.on.state("lost", pause);
      this.timer = window.setTimeout(() => this.connect(), 1000 * pause);
    };
  }

  private text(message: ServerMessage): void {
    if (message.type !== "answer") return this.on.message(message);
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error !== null && message.error !== undefined) waiting?.reject(new Refusal(message.error));
    else waiting?.resolve(message.data);
  }
}

/** Where the server of this page listens; the token of the page's address opens it. */
export function liveAddress(page: Location): string {
  return `${page.protocol === "https:" ? "wss" : "ws"}://${page.host}/live${page.search}`;
}
