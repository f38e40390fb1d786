import { mount } from 'svelte';
import App from './App.svelte';

console.info('svelte starts');
mount(App, { target: document.getElementById('app') });
