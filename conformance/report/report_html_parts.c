/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sections of the HTML report of a run are made of: the filter's script, verdicts. */
#include "report/report_html.h"

const char gw_html_script[] =
    "(()=>{const f=document.getElementById('filter');f.hidden=false;"
    "const items=[...document.querySelectorAll('[data-v]')],"
    "text=f.querySelector('input[type=search]'),clause=f.querySelector('select'),"
    "boxes=[...f.querySelectorAll('input[type=checkbox]')],out=f.querySelector('output');"
    "const go=()=>{const v=new Set(boxes.filter(b=>b.checked).map(b=>b.value)),"
    "q=text.value.trim().toLowerCase();let shown=0,all=0;"
    "for(const i of items){const ok=v.has(i.dataset.v)"
    "&&(!clause.value||i.dataset.k.split('|').includes(clause.value))"
    "&&i.textContent.toLowerCase().includes(q);i.hidden=!ok;"
    "if(i.tagName==='TR'){all++;shown+=ok?1:0}}"
    "out.textContent=shown+' of '+all+' cases'};f.addEventListener('input',go);go();"
    /* A link leads to its case, whatever the filter hides. */
    "addEventListener('hashchange',()=>{const e=document.getElementById("
    "decodeURIComponent(location.hash.slice(1)));if(e&&e.hidden){f.reset();go();"
    "e.scrollIntoView()}})})();";

void gw_html_verdict(FILE *file, gw_verdict verdict)
{
    const char *name = gw_verdict_name(verdict);
    fprintf(file, "<span class=\"v %s\">%s</span>", name, name);
}

void gw_html_counts(FILE *file, const gw_counts *counts)
{
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++) {
        if (counts->of[v] == 0)
            continue;
        fprintf(file, "<span class=\"n\">%u ", counts->of[v]);
        gw_html_verdict(file, (gw_verdict)v);
        fputs("</span> ", file);
    }
}
