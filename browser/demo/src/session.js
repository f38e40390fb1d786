// Planted: the session's token is written to the console.

export async function restoreSession() {
  const response = await fetch('/api/session');
  const session = await response.json();
  console.log('session restored', session.token);
}
