// The path to an element from the root, in exactly the form that axe writes, because axe compares these texts with its
// own. Our version caches its counts; axe counts again for each element, and for each rule that examines it.

import { childrenOf, isDocument, isElement, nodeNameOf, parentNodeOf, type Root, rootOf } from '../dom';

export class Ancestries {
  private readonly paths = new Map<Element, string>();
  private readonly places = new Map<Node, Map<Element, number>>();

  /** One part for each shadow root around it; a plain string where there is none. */
  of(element: Element): string | string[] {
    const parts = [this.pathOf(element)];
    for (let root = rootOf(element) as Root; !isDocument(root); root = rootOf(root.host) as Root) {
      parts.unshift(this.pathOf(root.host));
    }
    return parts.length > 1 ? parts : (parts[0] as string);
  }

  private pathOf(element: Element): string {
    const known = this.paths.get(element);
    if (known !== undefined) return known;
    const parent = parentNodeOf(element);
    const name = CSS.escape(nodeNameOf(element).toLowerCase());
    const place = /^(head|body)$/.test(name) || !parent ? undefined : this.placeIn(parent, element);
    const step = place === undefined ? name : `${name}:nth-child(${place})`;
    const path = parent && isElement(parent) ? `${this.pathOf(parent)} > ${step}` : step;
    this.paths.set(element, path);
    return path;
  }

  /** The index among its siblings, if it has any. */
  private placeIn(parent: ParentNode, element: Element): number | undefined {
    let places = this.places.get(parent);
    if (!places) {
      const children = Array.from(childrenOf(parent as Element | Root));
      places = new Map(children.length > 1 ? children.map((child, index) => [child, index + 1]) : []);
      this.places.set(parent, places);
    }
    return places.get(element);
  }
}
