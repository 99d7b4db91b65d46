/** An object that replaces some methods of the target, and passes all other calls on to it. */
export function overlay<Target extends object, Own extends object>(
  target: Target,
  own: Own,
): Target & Own {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof Own];
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as Target & Own;
}
