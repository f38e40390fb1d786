const status = () => browser.$('[role=status]');

describe('shop', () => {
  it('offers help', async () => {
    await browser.url(process.env.SHOP_URL);
    await browser.$('#help').click();
    await browser.waitUntil(async () => (await status().getText()) === 'Call us');
  });

  // Fails: the report says why.
  it('shows the total', async () => {
    await browser.url(process.env.SHOP_URL);
    await browser.$('#checkout').click();
    await browser.waitUntil(async () => (await status().getText()) === 'Total 45', {
      timeout: 2_000,
      timeoutMsg: 'the total was not shown',
    });
  });
});
