// uPlot formats numbers in the browser's language as soon as it is loaded, and throws for a language that is not a BCP 47 tag, such
// as "C".
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
}
