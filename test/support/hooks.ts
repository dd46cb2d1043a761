/** What tests of a describe open in hooks and close again, available in its hooks and tests as if it were there already. */

type Opened = { close(): unknown } | { remove(): unknown };

/** One for all tests of the describe that calls this. */
export function shared<T extends Opened & object>(open: () => T | Promise<T>): T {
  const { proxy, begin, end } = late(open);
  before(begin);
  after(end);
  return proxy;
}

/** Another for each test of the describe that calls this. */
export function fresh<T extends Opened & object>(open: () => T | Promise<T>): T {
  const { proxy, begin, end } = late(open);
  beforeEach(begin);
  afterEach(end);
  return proxy;
}

function late<T extends Opened & object>(open: () => T | Promise<T>) {
  let current: T | undefined;
  const opened = (): T => {
    if (current === undefined)
      throw new Error('It is opened before the tests, not while they are described.');
    return current;
  };
  const proxy = new Proxy({} as T, {
    get: (_, name) => {
      const value: unknown = Reflect.get(opened(), name);
      // A method of a class may use private fields, which the proxy does not have.
      return typeof value === 'function' && !Object.hasOwn(opened(), name) ? value.bind(current) : value;
    },
    set: (_, name, value) => Reflect.set(opened(), name, value),
  });
  const begin = async () => {
    current = await open();
  };
  const end = async () => {
    if (current === undefined) return;
    if ('close' in current) await current.close();
    else await current.remove();
  };
  return { proxy, begin, end };
}
