import { expect, test } from 'vitest';
import { Schema } from '../src/schema';

const message = (value: object) => JSON.stringify(value);

test('the first five messages define the schema, and one of another structure is new', () => {
  const schema = new Schema();
  for (let price = 0; price < 5; price++) expect(schema.isNew(message({ sym: 'A', price }))).toBe(false);
  expect(schema.isNew(message({ price: 9, sym: 'B' }))).toBe(false);
  expect(schema.report(6)).toEqual({ detectedKeys: ['sym', 'price'], messageCount: 6, consistent: true });
  expect(schema.isNew(message({ error: 'limit' }))).toBe(true);
  expect(schema.report(7)).toMatchObject({ consistent: false });
});

test('a structure counts as new five times, then as known', () => {
  const schema = new Schema();
  for (let index = 0; index < 5; index++) schema.isNew(message({ a: 1 }));
  const seen = Array.from({ length: 7 }, () => schema.isNew(message({ b: 1 })));
  expect(seen).toEqual([true, true, true, true, true, false, false]);
});

test('messages that are not JSON define no schema', () => {
  const schema = new Schema();
  schema.isNew('ping');
  for (let index = 0; index < 10; index++) expect(schema.isNew(message({ [`k${index}`]: 1 }))).toBe(false);
  expect(schema.report(11)).toBeUndefined();
});

test('variants are distinguished by type, the most frequent first', () => {
  const schema = new Schema();
  for (let index = 0; index < 8; index++) schema.isNew(message({ type: 'message', text: 'x' }));
  for (let index = 0; index < 2; index++) schema.isNew(message({ type: 'typing' }));
  expect(schema.report(10)?.variants).toEqual(['message (80%)', 'typing (20%)']);
});
