/** A port whose callers wait for every answer, and so for its adapter, too. */
export type Asynchronous<T> = { [K in keyof T]: (...args: never[]) => Promise<unknown> };

/**
 * A port whose adapter is not loaded yet. Each call loads it, with what its settings are at that moment, and is passed on;
 * the runtime keeps the modules. What cannot be loaded fails the call.
 */
export function lazy<T extends Asynchronous<T>>(load: () => Promise<T>): T {
  return new Proxy<T>(Object.create(null), {
    get(_, name) {
      // Whoever awaits the port itself, or prints it, must not take it for a promise.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      return async (...args: unknown[]) => {
        const port = await load();
        return Reflect.apply(Reflect.get(port, name), port, args);
      };
    },
  });
}
