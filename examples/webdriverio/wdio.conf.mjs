import { openShop } from '../shop.mjs';
import { afterTest, beforeTest } from './gasoline.mjs';

const headless = ['--headless=new', '--no-sandbox', '--disable-gpu'];
let shop;

export const config = {
  runner: 'local',
  framework: 'mocha',
  specs: ['./test/*.e2e.mjs'],
  capabilities: [
    {
      browserName: 'chrome',
      'goog:chromeOptions': { args: headless, ...(process.env.CHROME_PATH && { binary: process.env.CHROME_PATH }) },
      ...(process.env.CHROMEDRIVER_PATH && {
        'wdio:chromedriverOptions': { binary: process.env.CHROMEDRIVER_PATH },
      }),
    },
  ],
  logLevel: 'error',
  async onPrepare() {
    shop = await openShop();
    process.env.SHOP_URL = `http://localhost:${shop.address().port}`;
  },
  onComplete() {
    shop.close();
  },
  beforeTest,
  afterTest,
};
