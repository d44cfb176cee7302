// A word of code with a hyphen, such as --out, stays on one line unless it is long.
for (const code of document.querySelectorAll("article code")) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = text.data.split(/(\S*-\S*)/).map((word) => {
      if (!word.includes("-") || word.length > 40) return word;
      const whole = document.createElement("span");
      whole.className = "whole";
      whole.textContent = word;
      return whole;
    });
    text.replaceWith(...parts);
  }
}
