import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { MAX_MESSAGE_BYTES } from '../outbound/limit.ts';

/**
 * The connected socket as the client library takes it. Limits what one statement answers, and ends the connection where the
 * library cannot read it, which would end the process.
 */
export class Wire extends Duplex {
  readonly #socket: Socket;
  #received = 0;
  /** Why the connection has ended, if something here ended it. */
  failure: Error | undefined;

  constructor(socket: Socket) {
    super({ autoDestroy: true });
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.destroy());
  }

  /** The next statement may answer as much again. */
  startStatement(): void {
    this.#received = 0;
  }

  /** The library connects by itself. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    try {
      return super.emit(event, ...values);
    } catch (error) {
      if (event !== 'data') throw error;
      this.#fail(new OutboundError('upstream_error', 'The server does not speak the protocol of PostgreSQL'));
      return true;
    }
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(bytes: Buffer): void {
    this.#received += bytes.length;
    if (this.#received > MAX_MESSAGE_BYTES) {
      const mib = MAX_MESSAGE_BYTES / (1024 * 1024);
      this.#fail(new OutboundError('upstream_error', `The answer is larger than ${mib} MiB`));
    } else if (!this.push(bytes)) this.#socket.pause();
  }

  #fail(error: Error): void {
    this.failure ??= error;
    this.destroy(error);
  }
}
