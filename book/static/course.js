// A table wider than its place scrolls by itself: the keyboard must reach it, too.
function reach() {
  for (const it of document.querySelectorAll(".bd-article table")) {
    if (it.scrollWidth > it.clientWidth) it.tabIndex = 0;
    else it.removeAttribute("tabindex");
  }
}
window.addEventListener("load", reach);
window.addEventListener("resize", reach);
