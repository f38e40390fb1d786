// The distinct types of a page's components, each once.

import type { ComponentType } from './component-tree';

export class Types {
  readonly list: ComponentType[] = [];
  private readonly numbers = new Map<unknown, number>();

  /** `make` is called once for each type. */
  number(type: unknown, make: () => ComponentType): number {
    let number = this.numbers.get(type);
    if (number === undefined) {
      number = this.list.push(make()) - 1;
      this.numbers.set(type, number);
    }
    return number;
  }
}
