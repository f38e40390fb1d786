import { defineConfig } from 'cypress';
import { openShop } from '../shop.mjs';
import { tasks } from './gasoline.mjs';

export default defineConfig({
  e2e: {
    async setupNodeEvents(on, config) {
      on('task', tasks);
      const shop = await openShop();
      on('after:run', () => shop.close());
      return { ...config, baseUrl: `http://localhost:${shop.address().port}` };
    },
  },
});
