"""How wide the picture's letters are, so that a text can be fitted without its font at hand.

A test reads the widths from the font's files; fonts/README.md says where those come from.
"""

from __future__ import annotations

from collections.abc import Mapping

# From the first to the last letter of each range, those that the font has.
RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x24F),
    (0x370, 0x3FF),
    (0x400, 0x52F),
    (0x1E00, 0x1EFF),
    (0x2010, 0x2026),
    (0x2039, 0x203A),
    (0x20AC, 0x20AC),
    (0x2190, 0x2193),
    (0x2212, 0x2212),
    (0x2605, 0x2605),
)
# A letter of these for each letter of the ranges, one after the other: how many of UNIT to an em it
# takes, counted from ZERO, or that the font has none.
UNIT, ZERO, NONE = 40, ord("#"), "!"
WIDTHS: Mapping[int, str] = {
    500: (
        "./3<=D=,228>/6.2=6<==<<:<<./>>>8J?=@@;:AA.9>:GAB=B===A?J>>=222657:<:<:2<;--9-F;;"
        "<<282;:D9:9212>./:=@9/::H5:96>75>447<;./05:FHI8??????K@;;;;....@ABBBBB>BAAAA>=<:"
        ":::::H:::::----:;;;;;;>;;;;;:;:?:?:?:@:@:@:@:@?@<;:;:;:;:;:A<A<A<A<A;C;5..-.-.-."
        "-D79->9=:-:-:0:1:-A;A;A;!A;B;B;B;JJ=2=2=2=8=8=8=8=2=2=2A;A;A;A;A;A;JD>:>=9=9=9.<"
        "D=<A=@C<@G=<:;@=;4C>I..?9-=HA;BB;F>C<@=8=:2?3=F=B=@<=9>><9<;:9=.20/!VNPD7WJE?:.-"
        "B;A;A;A;A;A;:?:?:KHA<A<>9B;B;><-YVNA<P>A;?:KHB;?:?:;:;:.-.-B;B;=2=2A;A;=8=2=9A;="
        "@===9?:;:B;B;B;B;>:2B7-HH?@::=8:99?A@;;9-C==2>:=9=:..A=!!.999.9!!!!/9?.@F0!C!FB."
        "?=:?;=AB.>?GA:B@=!==>B>CB.>=9;.:=;9:98;:.=;<;9;>:9=7:B;BE.:;:E>==>B>@E@A<@9=9>:A"
        "@!!!!!!!!!!!!!!@=:-B55=;@G@:>@@;;D:>=..9OPG>A=@?==:B;K=AA>@GAB@=@==D>B@JKDF=>L>:"
        ";:5=:E7;;9;A:;:<:9:@9=:DG>B:9D:::;598---HG;9;::HD=;JD>:ICE@SK97CBB;@;@;XQA<IAHB="
        "9=#######A>=;=;:6:5=9KE=7?<>;!!B@C=K@OHD>@:=9>9>9>9G@@=@:@;DADA.KE>;@>A:C=@:HD.?"
        ":?:KH;:?:?:KE=7<<A;A;B;B;B;>9=:=:=:@::5FB:5>9>9!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"
        "!!!!!!!!!!!!!!>?:=<=<=<@:@<@<@<@<@<;:;:;:;:;::2A<A;A;A;A;A;.-.->9>9>9:-:-:-:-GFG"
        "FGFA;A;A;A;B;B;B;B;=<=<=2=2=2=2=8=8=8=8=8=2=2=2=2A;A;A;A;A;?:?:JDJDJDJDJD>9>9>:="
        "9=9=9;2D::212?:?:?:?:?:?:?:?:?:?:?:?:?:;:;:;:;:;:;:;:;:.-.-B;B;B;B;B;B;B;B;B;B;B"
        ";B;A;A;F=F=F=F=F=>:>:>:>:D;::@=33=7KK35,+,,3335<988.9D22>IIII>M"
    ),
    700: (
        ",03==E>+33:>/6/3?7<=>==;==//>>>9LA=A@<:AA.:?:H@B=B==>@AL@@>333767:<:<;2<<..:.G<<"
        "<<393<:E:::323>,0:>B:1;8H6<:6>:5>457>;/206<FHJ9AAAAAALA<<<<....@@BBBBB>B@@@@@>>:"
        ":::::H:;;;;....;<<<<<<><<<<<:<:A:A:A:A:A:A:A:@@@<<;<;<;<;<;A<A<A<A<A<C<5/......."
        ".E9:.?:>:.:.:2:3:.@<@<@<!@<B<B<B<LJ=3=3=3=9=9=9=9>3>4>3@<@<@<@<@<@<LE@:@>:>:>:/<"
        "F=<B>AE=@H><=<B>;6DAJ/.@:.>IA<BD<HAE<A=9>=3?6>F?B>C<>:>>=:<<=:>/350!WPPE9WJGA:.."
        "B<@<@<@<@<@<;A:A:LHA<A<?:B<B<>=.[WPA<PA@<A:LHB<A:A:<;<;....B<B<=3=3@<@<=9>3>:A<>"
        "@>>>:A:<;B<B<B<B<@:4C8.IIAA;:>:<::@AA<;:.D>>3@;>:>=//B>!!/:::/:!!!!2:A/BH2!C!JD0"
        "A=:A<>AB.?AH@=BB=!>>@E@DB.@=:<0;=;9=:9<=0>;><:<A;:>9;E<CH0;<;HA>>?E?CHAA<B:>:A=E"
        "A!!!!!!!!!!!!!!B>:.B66><AHA;AAA<<E:?=..:PPH?@>@A==:C<N=@@?@HABB=A>>F@CBMNDG>?M>:"
        "<:6>;F8;;:;B;<;<:9:C:=;EI?D;9D:;;<6:9...IH<:;:;JF><KDA=LFHBTM:8DCB<A<A<ZRA<LDJH>"
        ":>#######@?><=;:6:6>:NF=8A>?<!!EAE?K@QHEAA:>9@9@9@:HAB?B;B<EBEB.NF?<@?A;D?B;JF.A"
        ":A:LH<;?;?;NF=8==@;@;B<B<B<?9>:>:>:B;:6ID:6@9@:!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"
        "!!!!!!!!!!!!!!@A:=<=<=<A:@<@<@<@<@<<;<;<;<;<;:2A<A<A<A<A<A<....?:?:?::.:.:.:.HGH"
        "GHG@<@<@<@<B<B<B<B<=<=<=3=3=3=3=9=9=9=9=9>3>3>3>3@<@<@<@<@<A:A:LELELELELE@:@:@:>"
        ":>:>:<3E::322@=A:A:A:A:A:A:A:A:A:A:A:A:<;<;<;<;<;<;<;<;....B<B<B<B<B<B<B<D<D<D<D"
        "<D<@<@<F?F?F?F?F?@:@:@:@:H@==A>66>7KK76-,--4445;:66/9C33>IIII>M"
    ),
}
