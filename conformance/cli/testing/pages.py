# SPDX-License-Identifier: BSD-2-Clause
# usage: pages.py PAGE...
# Opens pages of goldwire's in a browser, on a phone, a tablet and a desk, by day, by night and on paper, and prints what is
# wrong with them. Exit status 77 where there is no Chromium.
import os
import sys

import browser

WIDTHS = (360, 800, 1400)
PAPER = 688  # CSS pixels between the margins of A4
CONTRAST = 4.5  # of text on what is behind it, as WCAG 2 asks for (AA)

UNFOLD_ALL = "document.querySelectorAll('details').forEach(d => d.open = true)"

# What no page may have, however it is looked at.
SOUND = """(() => {
  const wrong = [], ids = new Set(), all = [...document.querySelectorAll('[id]')];
  for (const e of all) {
    if (ids.has(e.id)) wrong.push('two elements have the id ' + e.id);
    ids.add(e.id);
  }
  for (const a of document.querySelectorAll('a[href]')) {
    const href = a.getAttribute('href');
    if (href.startsWith('#') && !ids.has(decodeURIComponent(href.slice(1)))) wrong.push('no element for ' + href);
    if (/^[a-z]+:/i.test(href)) wrong.push('a link leaves the folder: ' + href);
  }
  for (const e of document.querySelectorAll('[src],link,iframe,object,embed')) wrong.push('loads ' + e.outerHTML);
  if (performance.getEntriesByType('resource').length) wrong.push('loads something');
  if (document.querySelectorAll('script').length > 1) wrong.push('has more than one script');
  if (window.smuggled) wrong.push('ran what it was to show');
  return wrong;
})()"""

# Text that is cut off, or pushes the page wider than the window. On paper nobody scrolls.
FITS = """(paper => {
  const wrong = [], root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    wrong.push('is ' + root.scrollWidth + ' pixels wide in a window of ' + root.clientWidth);
  for (const e of document.querySelectorAll('body *')) {
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    if (!box.width || e.closest('svg *')) continue;
    const name = e.tagName + '.' + e.className + ' "' + e.textContent.trim().slice(0, 40) + '"';
    const scrolls = !paper && e.closest('.scroll');
    if (!scrolls && box.right > root.clientWidth + 1) wrong.push(name + ' ends at ' + Math.round(box.right));
    if (style.overflowX === 'hidden' && e.scrollWidth > e.clientWidth + 1) wrong.push(name + ' is cut off');
    // A word that everybody looks for, in pieces; prose as a pillar; a heading on its side that has room to lie.
    const pieces = e.matches('.v, table.rules .id b, table.rules .level') || (!paper && e.matches('time')) ? 1 : e.matches('table.cases .id code') ? 2 : 0;
    if (pieces) {
      const lines = document.createRange();
      lines.selectNodeContents(e);
      if (new Set([...lines.getClientRects()].map(r => Math.round(r.top))).size > pieces) wrong.push(name + ' is torn apart');
    }
    if (e.matches('td,p,dd') && e.checkVisibility() && !e.children.length && e.textContent.length > 60 && box.height > 3 * box.width)
      wrong.push(name + ' is squeezed');
    if (!paper && e.matches('table.reasons td.what') && box.width < root.clientWidth / 2) wrong.push(name + ' has no room');
    if (style.writingMode !== 'horizontal-tb' && box.width > box.height) wrong.push(name + ' stands where it could lie');
    // Browsers print no backgrounds unless told: what says something by its colour alone would be gone.
    if (paper && !e.textContent && e.matches('.key') && style.printColorAdjust !== 'exact') wrong.push(name + ' has no colour');
    if (wrong.length > 8) break;
  }
  for (const e of document.querySelectorAll('svg text')) {
    const box = e.getBoundingClientRect(), drawing = e.closest('svg').getBoundingClientRect();
    if (box.width && (box.right > drawing.right + 1 || box.left < drawing.left - 1))
      wrong.push('a drawing cuts off "' + e.textContent + '"');
    if (wrong.length > 8) break;
  }
  return wrong;
})"""

# Text that cannot be read on what lies behind it.
READABLE = """(least => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = c => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
    const v = c[i] / 255;
    return sum + w * (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c[3] === 255) return c;
    }
    return rgba('white');
  };
  const seen = new Map(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !e.checkVisibility() || e.closest('script,option')) continue;
    const style = getComputedStyle(e), back = behind(e);
    const front = rgba(e instanceof SVGElement ? style.fill : style.color);
    const a = light(front), b = light(back), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) seen.set(e.tagName + '.' + (e.className.baseVal ?? e.className), ratio.toFixed(2));
  }
  return [...seen].map(([name, ratio]) => name + ' has a contrast of ' + ratio);
})"""

# A failure's messages, before and after a click on what folds them: nothing of them is seen, then all of it.
FOLDED = """(() => {
  const fold = document.querySelector('.card details.decoded');
  if (!fold) return [];
  const wrong = [...fold.querySelectorAll('h4,pre')].filter(e => e.checkVisibility());
  fold.querySelector('summary').click();
  return wrong.map(e => 'shows before it is asked to: ' + e.textContent.slice(0, 40));
})()"""
UNFOLDED = """(() => {
  const wrong = [], fold = document.querySelector('.card details.decoded');
  if (!fold) return wrong;
  for (const e of fold.querySelectorAll('h4,pre'))
    if (!e.checkVisibility() || !e.getBoundingClientRect().height) wrong.push('does not unfold ' + e.textContent.slice(0, 40));
  for (const e of fold.querySelectorAll('pre'))
    if (!/^frame [0-9]+  [0-9.]+ /.test(e.textContent)) wrong.push('unfolds no message: ' + e.textContent.slice(0, 40));
  if (!fold.textContent.includes('goldwire decode cases/')) wrong.push('does not say how to see all of it');
  return wrong;
})()"""


def check(page, path, complain):
    for width in WIDTHS:
        for dark in (False, True):
            page.look(width, dark=dark)
            page.open(path)
            how = f"{width} pixels, {'dark' if dark else 'light'}"
            for text in page.said + page.ask(SOUND) + page.ask(FITS + "(false)") + page.ask(f"{READABLE}({CONTRAST})"):
                complain(path, how, text)
            for text in page.ask(FOLDED) + page.ask(UNFOLDED):
                complain(path, how, text)
            page.ask(UNFOLD_ALL)
            for text in page.ask(FITS + "(false)") + page.ask(f"{READABLE}({CONTRAST})"):
                complain(path, how + ", unfolded", text)
    page.look(PAPER, media="print")
    page.open(path)
    for text in page.ask(FITS + "(true)") + page.ask(f"{READABLE}({CONTRAST})"):
        complain(path, "print", text)
    # Who unfolds something before printing has it on paper.
    page.ask(UNFOLD_ALL)
    for text in page.ask(FITS + "(true)") + page.ask(f"{READABLE}({CONTRAST})"):
        complain(path, "print, unfolded", text)


def main():
    chromium = browser.find()
    if not chromium:
        print("SKIPPED: chromium is not installed")
        sys.exit(77)
    found = 0

    def complain(path, how, text):
        nonlocal found
        found += 1
        print(f"{path}: {how}: {text[:300]}")

    with browser.Browser(chromium) as page:
        for path in sys.argv[1:]:
            if not os.path.exists(path):
                sys.exit(f"{path}: there is no such page")
            check(page, path, complain)
    sys.exit(1 if found else 0)


main()
