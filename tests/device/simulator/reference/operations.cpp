// The table of operations that the generator draws from. A row: what is written, the class of the
// result, then the operands:
//   h r d      registers of 16, 32, 64 bits, or an integer constant
//   H R D Q    registers alone
//   F G        32 and 64 bits of a float, or a constant written as one
//   i k l      like F, G and d, but without a constant added to the register (%r1+4)
//   p P        a predicate; one that may be negated
//   S          a shift's or field's amount; B: 0 to 31; T: a byte, as a constant
// A result of class 'pp' is p|q.
#include "tests/device/simulator/reference/writer.hpp"

namespace warpbook::device::tests::reference {
namespace {

struct Row {
  std::string_view text, result, operands;
};

constexpr Row kRows[] = {
    // Integers
    {"{add,sub,min,max,div,rem}.{u16,s16}", "h", "hh"},
    {"{mul.lo,mul.hi}.{u16,s16}", "h", "hh"},
    {"mul.wide.{u16,s16}", "r", "hh"},
    {"mad.{lo,hi}.{u16,s16}", "h", "hhh"},
    {"mad.wide.{u16,s16}", "r", "hhr"},
    {"sad.{u16,s16}", "h", "hhh"},
    {"{abs,neg}.s16", "h", "h"},
    {"{add,sub,min,max,div,rem}.{u32,s32}", "r", "rr"},
    {"{add,sub}.sat.s32", "r", "rr"},
    {"{min,max}.relu.s32", "r", "rr"},
    {"{mul.lo,mul.hi}.{u32,s32}", "r", "rr"},
    {"mul.wide.{u32,s32}", "d", "rr"},
    {"mad.{lo,hi}.{u32,s32}", "r", "rrr"},
    {"mad.hi.sat.s32", "r", "rrr"},
    {"mad.wide.{u32,s32}", "d", "rrd"},
    {"sad.{u32,s32}", "r", "rrr"},
    {"{abs,neg}.s32", "r", "r"},
    {"{add,sub,min,max}.{u64,s64}", "d", "dd"},
    {"{div,rem}.{u64,s64}", "d", "ll"},
    {"{mul.lo,mul.hi}.{u64,s64}", "d", "dd"},
    {"mad.{lo,hi}.{u64,s64}", "d", "ddd"},
    {"sad.{u64,s64}", "d", "ddd"},
    {"{abs,neg}.s64", "d", "d"},
    {"add.{u16x2,s16x2}", "r", "RR"},
    {"{min,max}.{u16x2,s16x2,relu.s16x2}", "r", "RR"},
    {"mul24.{lo,hi}.{u32,s32}", "r", "rr"},
    {"mad24.{lo,hi}.{u32,s32}", "r", "rrr"},
    {"mad24.hi.sat.s32", "r", "rrr"},
    {"dp4a.{u32,s32}.{u32,s32}", "r", "Rrr"},
    {"dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "r", "Rrr"},
    // Bits
    {"{and,or,xor}.b16", "h", "hh"},
    {"{and,or,xor}.b32", "r", "rr"},
    {"{and,or,xor}.b64", "d", "dd"},
    {"{and,or,xor}.pred", "p", "pp"},
    {"{not,cnot}.b16", "h", "h"},
    {"{not,cnot}.b32", "r", "r"},
    {"{not,cnot}.b64", "d", "d"},
    {"not.pred", "p", "p"},
    {"{shl.b16,shr.b16,shr.u16,shr.s16}", "h", "hS"},
    {"{shl.b32,shr.b32,shr.u32,shr.s32}", "r", "rS"},
    {"{shl.b64,shr.b64,shr.u64,shr.s64}", "d", "dS"},
    {"shf.{l,r}.{clamp,wrap}.b32", "r", "rrS"},
    {"lop3.b32", "r", "rrrT"},
    {"prmt.b32", "r", "rrr"},
    {"prmt.b32.{f4e,b4e,rc8,ecl,ecr,rc16}", "r", "rrr"},
    {"{popc,clz}.b32", "r", "r"},
    {"{popc,clz}.b64", "r", "d"},
    {"brev.b32", "r", "r"},
    {"brev.b64", "d", "d"},
    {"bfind{,.shiftamt}.{u32,s32}", "r", "r"},
    {"bfind{,.shiftamt}.{u64,s64}", "r", "d"},
    {"fns.b32", "r", "rBS"},
    {"bfe.{u32,s32}", "r", "rSS"},
    {"bfe.{u64,s64}", "d", "dSS"},
    {"bfi.b32", "r", "rrSS"},
    {"bfi.b64", "d", "ddSS"},
    {"bmsk.{clamp,wrap}.b32", "r", "SS"},
    {"szext.{clamp,wrap}.{u32,s32}", "r", "rS"},
    // Floats
    {"{add,sub,mul}{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32", "r", "FF"},
    {"fma.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32", "r", "FFF"},
    {"mad.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32", "r", "FFF"},
    {"mad.{rn,rz,rm,rp}.f64", "d", "GGG"},
    {"fma.rn.oob{,.relu}.{f16,bf16}", "h", "HHH"},
    {"fma.rn.oob{,.relu}.{f16x2,bf16x2}", "r", "RRR"},
    {"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f32", "h", "FF"},
    {"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f16x2", "h", "R"},
    {"cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2}", "r", "H"},
    {"div.{rn,rz,rm,rp}{,.ftz}.f32", "r", "ii"},
    {"{rcp,sqrt}.{rn,rz,rm,rp}{,.ftz}.f32", "r", "F"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32", "r", "FF"},
    {"{abs,neg}{,.ftz}.f32", "r", "F"},
    {"copysign.f32", "r", "FF"},
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.f32", "p", "F"},
    {"{add,sub,mul}.{rn,rz,rm,rp}.f64", "d", "GG"},
    {"div.{rn,rz,rm,rp}.f64", "d", "kk"},
    {"fma.{rn,rz,rm,rp}.f64", "d", "GGG"},
    {"{rcp,sqrt}.{rn,rz,rm,rp}.f64", "d", "k"},
    {"{min,max}.f64", "d", "GG"},
    {"{abs,neg}.f64", "d", "G"},
    {"copysign.f64", "d", "GG"},
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.f64", "p", "G"},
    {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16", "h", "HH"},
    {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16x2", "r", "RR"},
    {"fma.rn{,.ftz}{,.sat,.relu}.f16", "h", "HHH"},
    {"fma.rn{,.ftz}{,.sat,.relu}.f16x2", "r", "RRR"},
    {"{add,sub,mul}{,.rn}.bf16", "h", "HH"},
    {"{add,sub,mul}{,.rn}.bf16x2", "r", "RR"},
    {"fma.rn{,.relu}.bf16", "h", "HHH"},
    {"fma.rn{,.relu}.bf16x2", "r", "RRR"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16", "h", "HH"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16x2", "r", "RR"},
    {"{min,max}{,.NaN}{,.xorsign.abs}.bf16", "h", "HH"},
    {"{min,max}{,.NaN}{,.xorsign.abs}.bf16x2", "r", "RR"},
    {"{abs,neg}{,.ftz}.f16", "h", "H"},
    {"{abs,neg}{,.ftz}.f16x2", "r", "R"},
    {"{abs,neg}.bf16", "h", "H"},
    {"{abs,neg}.bf16x2", "r", "R"},
    // Comparisons
    {"setp.{eq,ne,lt,le,gt,ge}.{u16,s16}", "p", "hh"},
    {"setp.{eq,ne,lt,le,gt,ge}.{u32,s32}", "pp", "rr"},
    {"setp.{eq,ne,lo,ls,hi,hs}.u32", "p", "rr"},
    {"setp.{eq,ne,lt,le,gt,ge}.{u64,s64}", "pp", "dd"},
    {"setp.{eq,ne}.b16", "p", "hh"},
    {"setp.{eq,ne}.b32", "p", "rr"},
    {"setp.{eq,ne}.b64", "p", "dd"},
    {"setp.{eq,ne,lt,le,gt,ge}.{and,or,xor}.{u32,s32}", "pp", "rrP"},
    {"setp.{eq,ne,lt,le,gt,ge}.{and,or,xor}.{u64,s64}", "p", "ddP"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.f32", "pp", "FF"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}{,.ftz}.f32", "pp",
     "FFP"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.f64", "pp", "GG"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.f16", "p", "HH"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.bf16", "p", "HH"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.f16x2", "pp2", "RR"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.bf16x2", "pp2", "RR"},
    {"set.{eq,ne,lt,le,gt,ge}.{u32,s32,f32}.{u16,s16}", "r", "hh"},
    {"set.{eq,ne,lt,le,gt,ge}.{u32,s32,f32}.{u32,s32}", "r", "rr"},
    {"set.{eq,ne,lt,le,gt,ge}.{and,or,xor}.{u32,s32,f32}.{u64,s64}", "r", "ddP"},
    {"set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.{u32,s32,f32}.f32", "r", "FF"},
    {"set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{u32,s32,f32}.f64", "r", "GG"},
    {"set.{eq,ne,lt,le,gt,ge,equ,ltu,num,nan}{,.ftz}.{f16,u16,s16}.f16", "h", "HH"},
    {"set.{eq,ne,lt,le,gt,ge,equ,ltu,num,nan}{,.ftz}.{u32,s32}.f16", "r", "HH"},
    {"set.{eq,ne,lt,le,gt,ge,equ,ltu,num,nan}{,.ftz}.f16x2.f16x2", "r", "RR"},
    {"set.{eq,ne,lt,le,gt,ge,equ,ltu,num,nan}.bf16x2.bf16x2", "r", "RR"},
    {"selp.{b16,u16,s16}", "h", "hhp"},
    {"selp.{b32,u32,s32}", "r", "rrp"},
    {"selp.f32", "r", "FFp"},
    {"selp.{b64,u64,s64}", "d", "ddp"},
    {"selp.f64", "d", "GGp"},
    {"slct.{b16,u16,s16}.s32", "h", "hhr"},
    {"slct.{b32,u32,s32}.s32", "r", "rrr"},
    {"slct.{b64,u64,s64}.s32", "d", "ddr"},
    {"slct{,.ftz}.{b32,f32}.f32", "r", "RRF"},
    {"slct{,.ftz}.f64.f32", "d", "GGF"},
    {"mov.{b16,u16,s16}", "h", "h"},
    {"mov.{b32,u32,s32}", "r", "r"},
    {"mov.f32", "r", "F"},
    {"mov.{b64,u64,s64}", "d", "d"},
    {"mov.f64", "d", "G"},
    {"mov.pred", "p", "p"},
    {"mov.b128", "q", "Q"},
};

constexpr Row kApproximateRows[] = {
    {"{ex2,lg2,sin,cos,rcp,sqrt,rsqrt}.approx{,.ftz}.f32", "r", "F"},
    {"tanh.approx.f32", "r", "F"},
    {"div.{approx,full}{,.ftz}.f32", "r", "FF"},
    {"{rcp,rsqrt}.approx.ftz.f64", "d", "G"},
    {"ex2.approx.f16", "h", "H"},
    {"{ex2,tanh}.approx.f16x2", "r", "R"},
    {"ex2.approx.ftz.bf16", "h", "H"},
    {"tanh.approx.{bf16,f16}", "h", "H"},
};

constexpr std::uint64_t kIntegers[] = {
    0,      1,       2,          3,          7,          8,          15,        16,     31,
    32,     33,      63,         64,         127,        128,        255,       0x7fff, 0x8000,
    0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x55555555};

constexpr std::string_view kAddends[] = {"1", "-1", "4", "0x7fff", "(3 << 14) - 1", "0x80000000"};

constexpr std::uint32_t kSingles[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                      0xff800000, 0x7fc00000, 0x00000001, 0x807fffff, 0x00800000,
                                      0x7f7fffff, 0x4f000000, 0xcf000000, 0x3f000000, 0x3fc00001,
                                      0x4b000001, 0x33800000, 0x0d800000};

constexpr std::uint64_t kDoubles[] = {0,
                                      0x8000000000000000,
                                      0x3ff0000000000000,
                                      0xbff0000000000000,
                                      0x7ff0000000000000,
                                      0xfff0000000000000,
                                      0x7ff8000000000000,
                                      0x0000000000000001,
                                      0x800fffffffffffff,
                                      0x0010000000000000,
                                      0x7fefffffffffffff,
                                      0x43e0000000000000,
                                      0xc3e0000000000000,
                                      0x3fe0000000000000,
                                      0x36a0000000000000,
                                      0x47efffffe0000000};

}  // namespace

std::string Writer::integer(int bits) {
  std::uint64_t v = chance(70) ? one_of(kIntegers) : any();
  if (bits == 64) {
    if (chance(30)) v = any();
    return chance(20) ? fmt::format("-{}", v >> 1) : fmt::format("{:#x}", v);
  }
  v &= (std::uint64_t{1} << bits) - 1;
  return chance(20) ? fmt::format("-{}", v >> 1) : std::to_string(v);
}

std::string Writer::operand(char kind) {
  const bool constant = chance(14);
  // %r1+7: the bits of the register and a constant, whatever they stand for.
  const auto sum = [&](char of) {
    return source(of) + (chance(5) ? fmt::format("+{}", one_of(kAddends)) : "");
  };
  switch (kind) {
    case 'h': return constant ? integer(16) : sum('h');
    case 'r': return constant ? integer(32) : sum('r');
    case 'd': return constant ? integer(64) : sum('d');
    case 'i': return constant ? fmt::format("0f{:08X}", one_of(kSingles)) : source('r');
    case 'k': return constant ? fmt::format("0d{:016X}", one_of(kDoubles)) : source('d');
    case 'l': return constant ? integer(64) : source('d');
    case 'H': return source('h');
    case 'R': return source('r');
    case 'D': return source('d');
    case 'Q': return source('q');
    case 'F': return constant ? fmt::format("0f{:08X}", one_of(kSingles)) : sum('r');
    case 'G': return constant ? fmt::format("0d{:016X}", one_of(kDoubles)) : sum('d');
    case 'p': return source('p');
    case 'P': return (chance(40) ? "!" : "") + source('p');
    case 'S': return chance(50) ? std::to_string(below(72)) : source('r');
    case 'B': return std::to_string(below(32));
    default: return std::to_string(below(256));
  }
}

void Writer::operation(bool approximate) {
  if (chance(14)) return convert();
  if (chance(4)) return carry_chain();
  if (chance(5)) return pack_or_unpack();
  const bool open = approximate && chance(25);
  const Row& row = open ? one_of(kApproximateRows) : one_of(kRows);
  std::string operands;
  for (const char kind : row.operands) operands += ", " + operand(kind);
  const bool two = row.result == "pp2" || (row.result == "pp" && chance(40));
  const char kind = row.result[0];
  bool is_new = false, second_new = false;
  std::string d = destination(kind, is_new), q;
  if (two) {
    q = destination('p', second_new);
    if (q == d) q = fresh('p'), second_new = true;
  }
  instruction(expand(row.text) + " " + d + (two ? "|" + q : "") + operands + ";",
              !is_new && !second_new);
  if (is_new) offer(kind, d);
  if (second_new) offer('p', q);
}

void Writer::convert() {
  struct Side {
    std::string_view type;
    std::string_view classes;  ///< registers that may hold it
    int bits;
    bool floating;
  };
  static constexpr Side kSides[] = {
      {"u8", "hrd", 8, false},   {"s8", "hrd", 8, false},  {"u16", "hrd", 16, false},
      {"s16", "hrd", 16, false}, {"u32", "rd", 32, false}, {"s32", "rd", 32, false},
      {"u64", "d", 64, false},   {"s64", "d", 64, false},  {"f16", "h", 16, true},
      {"bf16", "h", 16, true},   {"f32", "r", 32, true},   {"f64", "d", 64, true}};
  const Side& to = one_of(kSides);
  const Side& from = one_of(kSides);
  if ((to.type == "bf16" && from.bits == 8) || (from.type == "bf16" && to.bits == 8)) return;
  const bool brain = to.type == "bf16" || from.type == "bf16";
  const bool from_signed = from.type[0] == 's', to_signed = to.type[0] == 's';
  // .sat stands only where some value does not fit.
  const bool fits =
      to_signed == from_signed ? to.bits >= from.bits : to_signed && to.bits > from.bits;
  std::string modifiers;
  if (!to.floating && !from.floating) {
    if (!fits) modifiers = expand("{,.sat}");
  } else if (to.floating && !from.floating) {
    modifiers = expand("{.rn,.rz,.rm,.rp}");
  } else if (!to.floating) {
    modifiers = expand("{.rni,.rzi,.rmi,.rpi}") + (from.type == "f32" ? expand("{,.ftz}") : "");
    if (!brain && chance(30)) modifiers += ".sat";
  } else if (to.bits < from.bits || (to.bits == from.bits && to.type != from.type)) {
    const bool relu = to.type == "f16" && from.type == "f32" && chance(30);
    modifiers = brain || relu ? expand("{.rn,.rz}") : expand("{.rn,.rz,.rm,.rp}");
    if (to.type == "f32" && chance(30)) modifiers += ".ftz";
    if (relu) modifiers += ".relu";
  } else {
    if (to.type == from.type) modifiers = expand("{.rni,.rzi,.rmi,.rpi}");
    if (to.type == "f32" || from.type == "f32") modifiers += expand("{,.ftz}");
    if (!brain) modifiers += expand("{,.sat}");
  }
  bool is_new = false;
  if (chance(8)) {
    const std::string d = destination('r', is_new);
    instruction(fmt::format("cvt{} {}, {}, {};", expand(".{rn,rz}{,.relu}.{f16x2,bf16x2}.f32"), d,
                            source('r'), source('r')),
                !is_new);
    if (is_new) offer('r', d);
    return;
  }
  if (chance(4)) {
    const std::string d = destination('r', is_new);
    instruction(fmt::format("cvt.rna.tf32.f32 {}, {};", d, source('r')), !is_new);
    if (is_new) offer('r', d);
    return;
  }
  const auto class_of = [&](const Side& side, const Side& other) {
    // Beside bf16 an integer's register is as wide as its type, and there are none of 8 bits here.
    return other.type == "bf16" && !side.floating ? side.classes.front() : one_of(side.classes);
  };
  const char kind = class_of(to, from);
  const std::string a = source(class_of(from, to));
  const std::string d = destination(kind, is_new);
  instruction(fmt::format("cvt{}.{}.{} {}, {};", modifiers, to.type, from.type, d, a), !is_new);
  if (is_new) offer(kind, d);
}

/// Sums, differences or products of several words, with their carries.
void Writer::carry_chain() {
  const bool wide = chance(50);
  const char kind = wide ? 'd' : 'r';
  const std::string type = wide ? expand("{u64,s64}") : expand("{u32,s32}");
  const std::uint64_t length = 2 + below(3);
  const std::string what = expand("{add,sub,mad.lo,mad.hi}");
  std::vector<std::string> made;
  for (std::uint64_t k = 0; k < length; ++k) {
    const bool first = k == 0, last = k + 1 == length;
    std::string opcode = what.substr(0, 3);
    if (!first) opcode += "c";
    opcode += what.substr(3);
    if (!last) opcode += ".cc";
    std::string operands = operand(kind) + ", " + operand(kind);
    if (what.size() > 3) operands += ", " + operand(kind);
    made.push_back(fresh(kind));
    line(fmt::format("{}.{} {}, {};", opcode, type, made.back(), operands));
  }
  for (const std::string& d : made) offer(kind, d);
}

void Writer::pack_or_unpack() {
  struct Shape {
    char whole, part;
    int parts;
    std::string_view type;
  };
  static constexpr Shape kShapes[] = {{'r', 'h', 2, "b32"},
                                      {'d', 'h', 4, "b64"},
                                      {'d', 'r', 2, "b64"},
                                      {'q', 'd', 2, "b128"},
                                      {'q', 'r', 4, "b128"}};
  const Shape& shape = one_of(kShapes);
  std::string list;
  std::vector<std::string> made;
  if (chance(50)) {
    for (int k = 0; k < shape.parts; ++k) {
      const bool special = shape.part == 'r' && chance(15);
      list += (k ? ", " : "") +
              (special ? expand("%{laneid,tid.x,ntid.y,lanemask_lt}") : source(shape.part));
    }
    made.push_back(fresh(shape.whole));
    line(fmt::format("mov.{} {}, {{{}}};", shape.type, made[0], list));
    offer(shape.whole, made[0]);
    return;
  }
  const std::string whole = source(shape.whole);
  for (int k = 0; k < shape.parts; ++k) {
    const bool sink = k != 0 && chance(20);
    if (!sink) made.push_back(fresh(shape.part));
    list += (k ? ", " : "") + (sink ? "_" : made.back());
  }
  line(fmt::format("mov.{} {{{}}}, {};", shape.type, list, whole));
  for (const std::string& d : made) offer(shape.part, d);
}

}  // namespace warpbook::device::tests::reference
