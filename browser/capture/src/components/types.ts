// The distinct types of a page's components.

import type { ComponentType } from './component-tree';

export class Types {
  readonly list: ComponentType[] = [];
  private readonly numbers = new Map<unknown, number>();

  /** Calls `make` once for each type. */
  number(type: unknown, make: () => ComponentType): number {
    let number = this.numbers.get(type);
    if (number === undefined) {
      number = this.list.push(make()) - 1;
      this.numbers.set(type, number);
    }
    return number;
  }
}
