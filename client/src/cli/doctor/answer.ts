type Path = readonly (string | number)[];

/** An answer of unknown shape. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Local time in the middle of the call, in ms since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly #json: unknown;

  constructor({ status, headers }: Response, body: string, startedAt: number) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.ms = Date.now() - startedAt;
    this.at = startedAt + this.ms / 2;
    try {
      this.#json = JSON.parse(body);
    } catch {
      this.#json = undefined;
    }
  }

  /** A value of the JSON body; undefined if absent. */
  value(...path: Path): unknown {
    return path.reduce<unknown>((value, key) => Object(value)[key], this.#json);
  }

  /** Empty if absent. */
  text(...path: Path): string {
    const value = this.value(...path);
    return typeof value === 'string' ? value : '';
  }

  /** Empty if absent. */
  list(...path: Path): unknown[] {
    const value = this.value(...path);
    return Array.isArray(value) ? value : [];
  }

  /** A text of each item of a list. */
  column(list: string, name: string): string[] {
    return this.list(list).map((_, n) => this.text(list, n, name));
  }

  /** The app's error code; empty for other answers. */
  get code(): string {
    return this.text('error_code');
  }

  /** Status and message of a failure: from the app, or from the platform as JSON or XML. */
  get summary(): string {
    const xml = /<msg[^>]*>([^<]*)</.exec(this.body)?.[1];
    const message = this.text('message') || this.text('messages', 0, 'text') || xml;
    return `${this.status}${message ? `: ${message.slice(0, 300)}` : ''}`;
  }
}

export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

export class CheckFailure extends Error {
  override readonly name = 'Failed';
  override readonly cause: string;
  readonly remedy: string | undefined;

  constructor(message: string, cause: string | Answer = '', remedy?: string) {
    super(message);
    this.cause = typeof cause === 'string' ? cause : cause.summary;
    // A failure of the app with a reason says what to do about that reason.
    const own = typeof cause !== 'string' && cause.text('reason') !== '' ? cause.text('remedy') : '';
    this.remedy = remedy ?? (own || undefined);
  }
}

/** @throws Failed unless the condition is met */
export function must(isMet: boolean, message: string, cause?: string | Answer, remedy?: string): void {
  if (!isMet) throw new CheckFailure(message, cause, remedy);
}
