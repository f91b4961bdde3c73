import DefaultTheme from "vitepress/theme";

const stored = "language";

/** Shows the programs of a page in a language, where they have it. */
function show(language) {
  for (const label of document.querySelectorAll(".vp-code-group .tabs label"))
    if (label.textContent === language) {
      const input = document.getElementById(label.htmlFor);
      if (!input.checked) input.click();
    }
}

/** Remembers the language that a reader chooses, for all programs of all pages. */
function remember({ target, isTrusted }) {
  const label = isTrusted && target.closest?.(".vp-code-group .tabs label");
  if (!label) return;
  localStorage.setItem(stored, label.textContent);
  show(label.textContent);
}

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (import.meta.env.SSR) return;
    document.addEventListener("click", remember);
    router.onAfterPageLoad = () => requestAnimationFrame(() => show(localStorage.getItem(stored)));
  },
};
