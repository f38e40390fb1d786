import { createApp } from 'vue';
import App from './App.vue';

console.info('vue starts');
createApp(App).mount('#app');
