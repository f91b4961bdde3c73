/** A text with low contrast: its content, and the contrast with its background. */
export interface FaintText {
  text: string;
  contrast: number;
}

/**
 * Texts of the open page whose contrast with their background is less than the 4.5 that WCAG 2 requires (level AA).
 * It runs in the browser, so it refers to nothing outside itself. The background of a text is the fill or background
 * of the elements painted before it at its middle.
 */
export function faintTexts(selector: string): FaintText[] {
  type Color = [red: number, green: number, blue: number, alpha: number];
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!canvas) throw new Error("no canvas");
  const read = (color: string): Color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = "rgba(0, 0, 0, 0)";
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (upper: Color, lower: Color): Color => {
    const mix = (index: 0 | 1 | 2) => upper[index] * upper[3] + lower[index] * (1 - upper[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = ([red, green, blue]: Color) => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paintOf = (element: Element): Color => {
    const style = getComputedStyle(element);
    const isShape = element instanceof SVGElement && !(element instanceof SVGSVGElement);
    if (!isShape) return read(style.backgroundColor);
    const isFilled = !(element instanceof SVGTextContentElement) && style.fill !== "none";
    const [red, green, blue, alpha] = isFilled ? read(style.fill) : ([0, 0, 0, 0] as Color);
    return [red, green, blue, alpha * Number(style.fillOpacity) * Number(style.opacity)];
  };
  const ground = (element: Element): Color => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
    const below = stack.includes(element) ? stack.slice(stack.indexOf(element)) : [element, ...ancestors(element)];
    // The default canvas of a page.
    return below.map(paintOf).reduceRight((lower, upper) => over(upper, lower), read("Canvas"));
  };
  const ancestors = (element: Element): Element[] =>
    element.parentElement ? [element.parentElement, ...ancestors(element.parentElement)] : [];
  const ownText = (element: Element) =>
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent?.trim() ?? "")
      .join(" ")
      .trim();

  return [...document.querySelectorAll(selector)].flatMap((element) => {
    const text = ownText(element);
    if (text === "" || element.getBoundingClientRect().width === 0) return [];
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const style = getComputedStyle(element);
    const back = ground(element);
    const front = over(read(element instanceof SVGElement ? style.fill : style.color), back);
    const [light = 0, dark = 0] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    return contrast < 4.5 ? [{ text: text.slice(0, 60), contrast: Math.round(contrast * 10) / 10 }] : [];
  });
}
