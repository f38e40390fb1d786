// Every page of a test records what it does, under the test's own id.

const QUIET = { log: false };
let code;

const current = () => {
  const { title, titlePath } = Cypress.currentTest;
  return { test_id: titlePath.join(' > '), title };
};

beforeEach(() => {
  cy.task('gasolineStart', current(), QUIET).then((text) => {
    code = text;
  });
});

// Before the page's own scripts.
Cypress.on('window:before:load', (page) => {
  if (code) page.eval(code);
});

afterEach(function () {
  const { state, err } = this.currentTest;
  cy.task('gasolineEnd', { ...current(), status: state, error: err?.message }, QUIET);
});
