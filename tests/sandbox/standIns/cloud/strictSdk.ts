import type { CloudName } from "./clouds";
import type { Declarations, Properties } from "./declarations/shapes";
import { placeOf } from "./declarations/tokens";

type Callable = (...args: unknown[]) => unknown;
type Exports = Record<string, (new (...args: unknown[]) => object) & Callable>;

const strict = new Set<CloudName>();

/**
 * Makes the SDK of a cloud, in this process, throw at arguments that it does not declare. By itself it copies those it
 * declares and drops the others silently, so that the engine never gets them.
 */
export function makeStrict(cloud: CloudName, { resources, functions }: Declarations): void {
  if (strict.has(cloud)) return;
  strict.add(cloud);
  for (const [token, { inputs }] of Object.entries(resources)) {
    const { exports, name } = moduleOf(cloud, token);
    exports[name] = new Proxy(exports[name] as Exports[string], {
      construct(target, given: unknown[], newTarget) {
        refuseUndeclared(`${token} '${String(given[0])}'`, inputs, given[1]);
        return Reflect.construct(target, given, newTarget) as object;
      },
    });
  }
  for (const [token, { args }] of Object.entries(functions)) {
    const { exports, name } = moduleOf(cloud, token);
    for (const variant of [name, `${name}Output`])
      exports[variant] = new Proxy(exports[variant] as Exports[string], {
        apply(target, self, given: unknown[]) {
          refuseUndeclared(token, args, given[0]);
          return Reflect.apply(target, self, given);
        },
      });
  }
}

function moduleOf(cloud: CloudName, token: string): { exports: Exports; name: string } {
  const { path, name } = placeOf(token);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the one instance that the program has as well
  return { exports: require(`@pulumi/${cloud}/${path}`) as Exports, name };
}

function refuseUndeclared(owner: string, declared: Properties, given: unknown): void {
  const values = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const invented = values.map(([key]) => key).filter((key) => !Object.hasOwn(declared, key));
  if (invented.length === 0) return;
  const known = Object.keys(declared).sort().join(", ");
  throw new Error(`${owner} has no property ${invented.join(", ")}; the SDK declares ${known}`);
}
