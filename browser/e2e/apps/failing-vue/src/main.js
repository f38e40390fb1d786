import { createApp } from 'vue';
import App from './App.vue';

createApp(App, { theme: 'dark' }).mount('#app');
