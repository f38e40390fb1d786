// No tool reveals what people type into secret fields.

import { expect, html, test } from './inspecting';

const CARD = '4111111111111111';

test('values of secret fields are redacted wherever they occur', async ({ site, page, queryDom, audit }) => {
  site.routes.set(
    '/',
    html(`<html lang="en"><title>Pay</title><main><h1>Pay</h1><form>
      <input class="s" type="password" value="hunter2">
      <input class="s" autocomplete="cc-number" value="5555">
      <input class="s" autocomplete="section-a billing cc-csc" value="123" data-value="123">
      <input class="s" name="cardNumber" value="98761">
      <input class="s" id="cvv" value="98762">
      <label>Card holder <input class="s" value="98763"></label>
      <input class="s" placeholder="CVC code" value="98764">
      <input class="s" name="anything" value="${CARD}">
      <input class="s" type="hidden" name="csrf_token" value="98765">
      <textarea class="s" aria-label="card note">98766</textarea>
      <select class="s" autocomplete="cc-exp-month"><option value="98767">a<option selected value="98768">b</select>
      <input class="plain" name="city" value="Berlin">
    </form></main>`),
  );
  await page.goto(site.url());
  const secret = await queryDom({ selector: '.s', include_children: true });
  expect(secret.matchCount).toBe(11);
  expect(secret.matches.map(({ value }) => value)).toEqual(Array(11).fill('[redacted]'));
  const all = JSON.stringify([
    secret,
    await queryDom({ selector: 'form', include_children: true, max_depth: 5 }),
    await audit({ include_passes: true }),
  ]);
  for (const value of ['hunter2', '5555', '"123"', '9876', CARD]) expect(all).not.toContain(value);
  expect(all).toContain('Berlin');
  expect(all).toContain('value=\\"[redacted]\\"');
});
