/* SPDX-License-Identifier: BSD-2-Clause */
/* What every page of goldwire's is made of: looks, and small pieces. */
#include "report/html.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

#include "evidence/clean.h"

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#5b6672;--line:#d8dde3;"
    "--card:#f5f7f9;--pass:#1a7f37;--fail:#cf222e;--warn:#8a5a00;--odd:#7a45c9;--mark:#ffd8d3}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0f1216;--fg:#dfe5ec;--dim:#94a0ad;"
    "--line:#2b323b;--card:#171c22;--pass:#3fb950;--fail:#ff7b72;--warn:#d9a520;--odd:#bb9af7;"
    "--mark:#6b2420}}\n"
    "*{box-sizing:border-box}[hidden]{display:none!important}\n"
    "body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;margin:0 auto;"
    "max-width:76rem;padding:1.5rem;overflow-wrap:break-word}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:0}h2{font-size:1.15rem;margin:2.4rem 0 .6rem;"
    "padding-bottom:.25rem;border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:0}\n"
    "a{color:inherit;text-underline-offset:.2em}p{margin:.4rem 0}.dim{color:var(--dim)}\n"
    "code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    "pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "mark{background:var(--mark);color:inherit;font-weight:700}\n"
    ".banner{border:1px solid var(--line);border-left:.6rem solid var(--dim);border-radius:.5rem;"
    "background:var(--card);padding:1.1rem 1.4rem}.banner p{margin:.3rem 0 0}\n"
    ".banner.PASS{border-left-color:var(--pass)}.banner.FAIL,.banner.TOOL{border-left-color:"
    "var(--fail)}.banner.INCONCLUSIVE{border-left-color:var(--odd)}.banner.UNEXPECTED,"
    ".banner.WAIVER,.banner.NOTHING{border-left-color:var(--warn)}\n"
    ".counts{font-size:1.1rem}.n{white-space:nowrap;margin-right:1rem}td .n{margin-right:.7rem}\n"
    "nav{margin:.8rem 0 0;display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem}\n"
    "dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1.2rem;margin:0}"
    "dt{color:var(--dim)}dd{margin:0;white-space:pre-line}\n"
    ".card{border:1px solid var(--line);border-left:.35rem solid var(--dim);border-radius:.4rem;"
    "background:var(--card);padding:.8rem 1rem;margin:.7rem 0}.card dl{margin-top:.5rem}"
    ".card.FAIL,.card.ERROR{border-left-color:var(--fail)}.card.WARN,.card.XPASS{"
    "border-left-color:var(--warn)}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}"
    "th{text-align:left;color:var(--dim);font-weight:600}"
    "th,td{border-bottom:1px solid var(--line);padding:.4rem .9rem .4rem 0;vertical-align:top}"
    "td.num,th.num{text-align:right}td.num,th.num,td.id,td a{white-space:nowrap}"
    "@media screen{td.what{min-width:14rem}}"
    "@media (max-width:64rem){td dl{grid-template-columns:minmax(0,1fr);gap:0}}"
    "table.dense td{padding:.1rem .9rem .1rem 0}\n"
    "tr:target>*{box-shadow:inset 0 -2px var(--odd)}tr{scroll-margin-top:6rem}"
    "summary{cursor:pointer}details dl{margin:.5rem 0 .3rem}\n"
    ".v{font-weight:700}.v.PASS{color:var(--pass)}.v.FAIL,.v.ERROR{color:var(--fail)}"
    ".v.WARN,.v.XPASS{color:var(--warn)}.v.INCONC{color:var(--odd)}.v.NA,.v.WAIVED{"
    "color:var(--dim)}\n"
    "#filter{position:sticky;top:0;background:var(--bg);border-bottom:1px solid var(--line);"
    "padding:.6rem 0;display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;z-index:1}"
    "#filter label{white-space:nowrap}#filter input[type=search]{flex:1;min-width:9rem}"
    "#filter input[type=search],#filter select{font:inherit;color:inherit;background:var(--card);"
    "border:1px solid var(--line);border-radius:.3rem;padding:.25rem .5rem;max-width:100%}\n"
    "@media screen and (max-width:44rem){body{padding:.9rem}h1{font-size:1.4rem}"
    "dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.4rem}"
    "table.cases thead,table.rules thead{display:none}"
    "table.cases tr,table.rules tr{display:block;border-bottom:1px solid var(--line);padding:.5rem "
    "0}table.cases td,table.rules td{display:inline-block;border:0;padding:0 .7rem 0 0;"
    "white-space:normal}"
    "table.cases td.wide,table.rules td.wide{display:block}"
    "table.reasons thead{display:none}table.reasons tr,table.reasons td{display:block}"
    "table.reasons td.id{border:0;padding-bottom:0;white-space:normal}}\n";

static const char print_style[] =
    "@page{margin:14mm}@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--dim:#444;"
    "--line:#bbb;--card:#fff;--pass:#1a7f37;--fail:#b3121f;--warn:#7a4f00;--odd:#5e2ca5;"
    "--mark:#ffd8d3}body{font-size:10pt;max-width:none;padding:0}"
    "code,pre{font-size:8.5pt}#filter,nav{display:none}.card,tr,svg{break-inside:avoid}"
    "h2,h3{break-after:avoid}.scroll{overflow:visible}td{overflow-wrap:anywhere}"
    "td.id,td a{white-space:normal}.v{white-space:nowrap}td.wide{min-width:12rem}"
    "table.rules td.id,table.rules td.level{white-space:nowrap}"
    "table.rules td{overflow-wrap:break-word}"
    "table.cases td.id{min-width:9rem}table.cases td:last-child a{white-space:nowrap}}\n";

static const char chart_style[] =
    "td.chart{width:42%}svg{display:block;width:100%;min-width:18rem;height:auto}svg "
    "rect,svg circle{fill:var(--pass)}svg .lost{stroke:var(--fail);fill:none}"
    "svg .FAIL,svg .ERROR{fill:var(--fail)}svg .WARN,svg .XPASS{fill:var(--warn)}svg .INCONC{"
    "fill:var(--odd)}svg .NA,svg .WAIVED{fill:var(--dim)}svg "
    ".own{stroke:var(--odd);stroke-dasharray:3 2}svg .budget{stroke:var(--fail)}"
    "svg line{stroke:var(--line)}svg text{fill:var(--dim);font:12px system-ui,sans-serif}\n"
    "svg.wide{min-width:44rem}\n"
    "@media print{svg,svg.wide{min-width:0}}\n";

/* A cell's colour says what, its strength how much; the same stands in it as a number. */
static const char heat_style[] =
    "table.heat{width:auto;border-collapse:separate;border-spacing:2px}"
    "table.heat th,table.heat td{border:0;padding:.1rem .3rem;font-size:12px;vertical-align:middle}"
    "table.heat thead th{vertical-align:bottom;max-width:4.6rem}"
    "table.heat th.field{padding-right:.8rem;font-weight:400;color:var(--fg);white-space:nowrap}"
    "table.heat td.c{min-width:3.4rem;text-align:right;border-radius:.2rem;color:var(--fg);"
    "background:color-mix(in srgb,var(--heat,var(--card)) var(--much,0%),var(--card))}"
    "table.heat td.c a{display:block;text-decoration:none}"
    "table.heat td.c a:hover,table.heat td.c a:focus{text-decoration:underline}"
    "table.heat td.never{outline:1px dashed var(--warn);outline-offset:-1px;color:var(--warn);"
    "text-align:center}"
    "table.heat td.PASS{--heat:var(--pass)}table.heat td.FAIL,table.heat td.ERROR{--heat:"
    "var(--fail)}table.heat td.WARN,table.heat td.XPASS{--heat:var(--warn)}"
    "table.heat td.INCONC{--heat:var(--odd)}table.heat td.NA,table.heat td.WAIVED{--heat:"
    "var(--dim)}"
    "table.heat td.FAIL,table.heat td.ERROR{outline:1px solid var(--fail);outline-offset:-1px;"
    "font-weight:700}"
    ".m1{--much:10%!important}.m2{--much:20%!important}.m3{--much:30%!important}"
    ".m4{--much:40%!important}.m5{--much:50%!important}\n"
    "@media print{table.heat td.c{min-width:0;print-color-adjust:exact}"
    "table.heat th,table.heat td{font-size:7pt;padding:.1rem;overflow-wrap:anywhere}"
    "table.heat code{font-size:6.5pt}table.heat th.field,table.heat td.id{white-space:normal}"
    "table.heat.many{border-spacing:1px}table.heat.many th,table.heat.many "
    "td{font-size:6pt;padding:"
    "0}table.heat.many thead th{writing-mode:vertical-rl;max-height:7rem}"
    "table.heat.many thead th:nth-child(-n+2){writing-mode:horizontal-tb}table.heat.many "
    "td.id{min-width:"
    "8rem}table.heat.many th.field{min-width:6rem}}\n"
    "@media screen and (max-width:44rem){table.heat th.field{white-space:normal;min-width:8rem}"
    "table.heat td.c{min-width:1.9rem}}\n";

void gw_html_term(FILE *file, const char *term, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    fprintf(file, "<dt>%s</dt><dd>", term);
    gw_put_markup(file, text);
    fputs("</dd>\n", file);
}

void gw_html_heading(FILE *file, const char *id, const char *title)
{
    fprintf(file, "<h2 id=\"%s\">%s</h2>\n", id, title);
}

void gw_html_time(FILE *file, int64_t time_ns)
{
    static const struct {
        int64_t ns;
        const char *unit;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "&micro;s"}};
    for (size_t i = 0; i < GW_ARRAY_LEN(units); i++) {
        if (time_ns < units[i].ns)
            continue;
        double value = (double)time_ns / (double)units[i].ns;
        fprintf(file, "%.*f&nbsp;%s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[i].unit);
        return;
    }
    fprintf(file, "%" PRId64 "&nbsp;ns", time_ns);
}

unsigned gw_html_heat(uint64_t count, unsigned base)
{
    unsigned heat = 1;
    for (; count >= base && heat < 5; count /= base)
        heat++;
    return heat;
}

/* Sixteen bytes a line, as Wireshark shows them. */
void gw_html_packet(FILE *file, const char *term, const gw_excerpt *excerpt, uint32_t marked,
                    uint32_t num_marked)
{
    if (excerpt->len == 0)
        return;
    fprintf(file, "<dt>%s</dt><dd>", term);
    gw_put_markup(file, excerpt->what);
    fputs("<pre>", file);
    for (uint32_t i = 0; i < excerpt->kept && i < GW_RESULT_BYTES; i++) {
        bool mark = i >= marked && i - marked < num_marked;
        if (i % 16 == 0)
            fprintf(file, "%s%04x ", i > 0 ? "\n" : "", i);
        fprintf(file, mark ? " <mark>%02x</mark>" : " %02x", excerpt->bytes[i]);
    }
    fputs("</pre>", file);
    if (excerpt->kept < excerpt->len)
        fprintf(file, "<span class=\"dim\">the first %" PRIu32 " of %" PRIu32 " bytes</span>",
                excerpt->kept, excerpt->len);
    fputs("</dd>\n", file);
}

/* Only this very script may run, whatever a board's text smuggled into the page. */
static void put_policy(FILE *file, const char *script)
{
    uint8_t digest[crypto_hash_sha256_BYTES];
    char base64[sodium_base64_ENCODED_LEN(sizeof(digest), sodium_base64_VARIANT_ORIGINAL)];
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; ",
          file);
    if (script != NULL) {
        crypto_hash_sha256(digest, (const unsigned char *)script, strlen(script));
        (void)sodium_bin2base64(base64, sizeof(base64), digest, sizeof(digest),
                                sodium_base64_VARIANT_ORIGINAL);
        fprintf(file, "script-src 'sha256-%s'; ", base64);
    }
    fputs("base-uri 'none'; form-action 'none'\">\n", file);
}

void gw_html_open(FILE *file, const char *headline, const char *what, const char *looks,
                  const char *script)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n", file);
    put_policy(file, script);
    fprintf(file, "<title>%s: ", headline);
    gw_put_markup(file, what);
    fputs("</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n", file);
    fputs(style, file);
    fputs(print_style, file);
    fputs(chart_style, file);
    fputs(heat_style, file);
    fputs(looks, file);
    fputs("</style></head><body>\n", file);
}

void gw_html_close(FILE *file, const char *script)
{
    if (script != NULL)
        fprintf(file, "<script>%s</script>\n", script);
    fputs("</body></html>\n", file);
}
