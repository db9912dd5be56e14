/// How the council's page looks: on screens in light and dark, on phones, and on paper.
enum CouncilStyle {
    /// All rules. Of two rules that are equally specific, the later one applies, so the order matters.
    static let css = [
        colours, elements, page, drawings, charts, map, tables, phones, paper,
    ].joined(separator: "\n")

    /// The colours, in light and in dark.
    private static let colours = """
        :root{color-scheme:light dark;--ink:#1c2430;--soft:#556270;--line:#d5dbe2;--paper:#fff;--blue:#1d5fa8;
            --band:#c9dcf1;--street:#8f9aa6;--pin:#b93a0a;--note:#fdf3dc;--edge:#d99a1c;--k0:#e1ebf5;--k1:#b5cfe9;
            --k2:#82add9;--k3:#4d86c2;--k4:#235a97}
        @media screen and (prefers-color-scheme:dark){
            :root{--ink:#e6eaef;--soft:#a3afbb;--line:#36414d;--paper:#12171d;--blue:#79b4f0;--band:#23435f;
                --street:#77838f;--pin:#e2602c;--note:#33290f;--edge:#d99a1c;--k0:#1d2b39;--k1:#234767;--k2:#2f6798;
                --k3:#5592cb;--k4:#9ac7f2}
        }
        """

    /// Elements without a class.
    private static let elements = """
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:60rem;padding:1.2rem;font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;
            color:var(--ink);background:var(--paper);overflow-wrap:break-word;print-color-adjust:exact;
            -webkit-print-color-adjust:exact}
        h1{font-size:2rem;line-height:1.15;margin:.1em 0 .4em}
        h2{font-size:1.25rem;margin:2.2rem 0 .6rem}
        h3{font-size:1rem;margin:1.4rem 0 .3rem}
        h3::first-letter{text-transform:uppercase}
        p{margin:.5rem 0}
        small{display:block;color:var(--soft);font-size:.82rem;line-height:1.4}
        """

    /// The classes that CouncilPage.swift writes, and `note`, which the sections and the map write.
    private static let page = """
        .kicker{color:var(--blue);font-weight:600;margin:0;font-size:.9rem}
        .lead{font-size:1.2rem;max-width:46rem}
        .note,footer{color:var(--soft);font-size:.88rem}
        footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.6rem}
        .banner,.warning,.callout{border-left:4px solid var(--edge);background:var(--note);padding:.5rem .8rem;
            margin:.8rem 0}
        .banner{margin-top:0}
        .callout{border-color:var(--blue);background:none}
        .figures{display:grid;grid-template-columns:repeat(4,1fr);gap:1rem;margin:1.4rem 0 1rem}
        .figures div{border-top:3px solid var(--blue);padding-top:.4rem}
        .figures b{display:block;font-size:1.8rem;line-height:1.2}
        .figures span{display:block;margin-bottom:.2rem}
        .charts{display:grid;grid-template-columns:repeat(2,1fr);gap:1.2rem}
        """

    /// The drawings of CouncilChart.swift and CouncilMap.swift.
    private static let drawings = """
        svg{width:100%;height:auto;display:block}
        svg text{fill:var(--soft);font-family:inherit}
        """

    /// The classes that CouncilChart.swift writes.
    private static let charts = """
        .grid{stroke:var(--line)}
        .spread{fill:var(--band)}
        .curve{fill:none;stroke:var(--blue);stroke-width:2.5;stroke-linejoin:round}
        svg text.title{fill:var(--ink);font-weight:600}
        svg text.value{fill:var(--blue);font-weight:700;stroke:var(--paper);stroke-width:4px;paint-order:stroke}
        """

    /// The classes that CouncilMap.swift writes.
    private static let map = """
        .wide{fill:none;stroke-linecap:round;stroke-linejoin:round}
        .thin{fill:none;stroke:var(--street);stroke-width:.8}
        .k0{stroke:var(--k0);background:var(--k0)}
        .k1{stroke:var(--k1);background:var(--k1)}
        .k2{stroke:var(--k2);background:var(--k2)}
        .k3{stroke:var(--k3);background:var(--k3)}
        .k4{stroke:var(--k4);background:var(--k4)}
        .pin circle{fill:var(--pin);stroke:var(--paper);stroke-width:2}
        svg .pin text{fill:#fff;font-weight:700;font-size:16px;text-anchor:middle}
        .here rect{fill:var(--paper);stroke:var(--ink);stroke-width:3}
        .bar path{stroke:var(--ink);stroke-width:3}
        .bar text{fill:var(--ink);font-size:18px}
        .legend{list-style:none;margin:.8rem 0 .3rem;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;
            font-size:.9rem}
        .legend li{display:flex;align-items:center;gap:.45rem}
        .legend i{width:1.5rem;height:.9rem;border-radius:.2rem}
        .legend .dot{width:1rem;height:1rem;border-radius:50%;background:var(--pin)}
        .legend .box{width:.85rem;height:.85rem;border:2px solid var(--ink);border-radius:0}
        """

    /// The tables, and the classes that CouncilPage+Sections.swift writes.
    private static let tables = """
        table{border-collapse:collapse;width:100%;font-size:.95rem}
        th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line)}
        th{font-weight:600;color:var(--soft);font-size:.85rem;line-height:1.3;vertical-align:bottom}
        td{font-variant-numeric:tabular-nums}
        th:last-child,td:last-child{padding-right:0}
        .figures-right th:nth-child(n+2),.figures-right td:nth-child(n+2){text-align:right}
        .figures-right td:nth-child(n+3),.first-wide td:nth-child(n+2){white-space:nowrap}
        .numbered th:nth-child(2),.numbered td:nth-child(2){text-align:left;width:75%}
        .first-wide td:first-child{width:55%}
        .ranges td:last-child,.ranges th:last-child{text-align:right;white-space:nowrap}
        .columns{columns:2;column-gap:2.5rem}
        """

    /// What is different on phones.
    private static let phones = """
        @media screen and (max-width:40rem){
            body{padding:1rem}
            h1{font-size:1.6rem}
            .lead{font-size:1.1rem}
            .figures{grid-template-columns:repeat(2,1fr)}
            .charts{grid-template-columns:1fr}
            .columns{columns:1}
            .mark{transform:scale(1.9)}
            .later .mark{transform:scale(.8)}
            .later text{display:none}
            .thin{stroke-width:1.2}
            .bar text{font-size:36px}
            th,td{padding-right:.5rem}
            .first-wide td:first-child{width:46%}
        }
        """

    /// What is different on paper.
    private static let paper = """
        @media print{
            @page{size:A4;margin:15mm}
            :root{font-size:12.5px}
            body{max-width:none;padding:0;font-size:10pt}
            h2,h3{break-after:avoid}
            p,li{orphans:3;widows:3}
            section,p,tr,.legend{break-inside:avoid}
            .places,.assumptions{break-inside:auto}
            .map>svg{max-height:115mm}
            .mark{transform:scale(1.5)}
            .bar text{font-size:30px}
            .charts svg{max-height:52mm}
            h2{margin-top:6mm}
            table{font-size:9.5pt}
            th,td{padding-top:1mm;padding-bottom:1mm}
            thead{display:table-header-group}
            .assumptions{break-before:page;font-size:9pt}
            .assumptions table{font-size:8.5pt}
            small{font-size:8.5pt}
        }
        """
}
