// Reads properties of forms and documents even where a field has the name of the property: `form.id` is then the field
// named "id", and `form.attributes` the one named "attributes".

type Getter<Owner, Value> = (of: Owner) => Value;

function getter<Owner, Value>(prototype: object, name: string): Getter<Owner, Value> {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: Owner) => Value;
  return (of) => get.call(of);
}

export type Root = Document | ShadowRoot;

export const attributesOf = getter<Element, NamedNodeMap>(Element.prototype, 'attributes');
export const classesOf = getter<Element, DOMTokenList>(Element.prototype, 'classList');
export const localNameOf = getter<Element, string>(Element.prototype, 'localName');
export const shadowRootOf = getter<Element, ShadowRoot | null>(Element.prototype, 'shadowRoot');
export const nextSiblingOf = getter<Element, Element | null>(Element.prototype, 'nextElementSibling');
export const previousSiblingOf = getter<Element, Element | null>(Element.prototype, 'previousElementSibling');
export const scrollHeightOf = getter<Element, number>(Element.prototype, 'scrollHeight');
export const parentOf = getter<Node, Element | null>(Node.prototype, 'parentElement');
export const parentNodeOf = getter<Node, ParentNode | null>(Node.prototype, 'parentNode');
export const nodeNameOf = getter<Node, string>(Node.prototype, 'nodeName');
export const childNodesOf = getter<Node, NodeListOf<ChildNode>>(Node.prototype, 'childNodes');
export const textContentOf = getter<Node, string | null>(Node.prototype, 'textContent');
export const nodeTypeOf = getter<Node, number>(Node.prototype, 'nodeType');
export const baseOf = getter<Node, string>(Node.prototype, 'baseURI');
export const ownerOf = getter<Node, Document>(Node.prototype, 'ownerDocument');
export const titleOf = getter<Document, string>(Document.prototype, 'title');
export const bodyOf = getter<Document, HTMLElement | null>(Document.prototype, 'body');
export const viewOf = getter<Document, Window | null>(Document.prototype, 'defaultView');
export const readyStateOf = getter<Document, DocumentReadyState>(Document.prototype, 'readyState');
export const documentElementOf = getter<Document, Element | null>(Document.prototype, 'documentElement');
export const urlOf = getter<Document, string>(Document.prototype, 'URL');
export const fieldsOf = getter<HTMLFormElement, HTMLFormControlsCollection>(HTMLFormElement.prototype, 'elements');
const contentDocumentOf = getter<HTMLIFrameElement, Document | null>(HTMLIFrameElement.prototype, 'contentDocument');
const activeInDocument = getter<Document, Element | null>(Document.prototype, 'activeElement');
const activeInShadow = getter<ShadowRoot, Element | null>(ShadowRoot.prototype, 'activeElement');
const childrenOfElement = getter<Element, HTMLCollection>(Element.prototype, 'children');
const childrenOfDocument = getter<Document, HTMLCollection>(Document.prototype, 'children');
const childrenOfFragment = getter<DocumentFragment, HTMLCollection>(DocumentFragment.prototype, 'children');

export const attribute = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name);
export const matches = (element: Element, selector: string): boolean =>
  Element.prototype.matches.call(element, selector);
export const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
export const rootOf = (node: Node): Node => Node.prototype.getRootNode.call(node);

export function isDocument(node: Node): node is Document {
  return nodeTypeOf(node) === Node.DOCUMENT_NODE;
}

export function isElement(node: Node): node is Element {
  return nodeTypeOf(node) === Node.ELEMENT_NODE;
}

export function find(root: Root, selector: string): NodeListOf<Element> {
  const { prototype } = isDocument(root) ? Document : DocumentFragment;
  return prototype.querySelectorAll.call(root, selector) as NodeListOf<Element>;
}

export function childrenOf(parent: Element | Root): HTMLCollection {
  if (isDocument(parent)) return childrenOfDocument(parent);
  return isElement(parent) ? childrenOfElement(parent) : childrenOfFragment(parent);
}

export function activeIn(root: Root): Element | null {
  return isDocument(root) ? activeInDocument(root) : activeInShadow(root);
}

/** The document in a frame; `null` where the page itself has no access. */
export function documentIn(element: Element): Document | null {
  return /^i?frame$/.test(localNameOf(element)) ? safely(() => frameDocument(element)) : null;
}

function frameDocument(element: Element): Document | null {
  return localNameOf(element) === 'iframe'
    ? contentDocumentOf(element as HTMLIFrameElement)
    : (element as HTMLFrameElement).contentDocument;
}

function safely<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}
