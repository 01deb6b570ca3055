// What a generated program does with memory, and what its lanes do together.
#include "tests/device/simulator/reference/statements.hpp"

namespace warpbook::device::tests::reference {
namespace {

struct AccessType {
  std::string_view name;
  char kind;
  std::uint32_t bytes;
};
constexpr AccessType kAccessTypes[] = {
    {"u8", 'h', 1},  {"s8", 'h', 1},  {"u8", 'r', 1},  {"s8", 'r', 1},  {"b8", 'h', 1},
    {"s8", 'd', 1},  {"u16", 'h', 2}, {"s16", 'r', 2}, {"u16", 'd', 2}, {"b16", 'h', 2},
    {"u32", 'r', 4}, {"s32", 'd', 4}, {"u32", 'd', 4}, {"f32", 'r', 4}, {"b32", 'r', 4},
    {"u64", 'd', 8}, {"s64", 'd', 8}, {"f64", 'd', 8}, {"b64", 'd', 8}, {"b128", 'q', 16}};

}  // namespace

/// A new or old register gets the result of one instruction: before + register + after.
void Generator::result(char kind, const std::string& before, const std::string& after) {
  bool is_new = false;
  const std::string d = w_.destination(kind, is_new);
  w_.instruction(before + d + after, !is_new);
  if (is_new) w_.offer(kind, d);
}

std::string Generator::place(const std::string& base, std::uint32_t bytes, std::uint32_t access) {
  const std::string r = w_.unique('r'), d = w_.unique('d');
  const std::uint32_t places = bytes / access;
  if (w_.chance(30)) {
    w_.line(fmt::format("add.s64 {}, {}, {};", d, base, access * w_.below(places)));
    return d;
  }
  // Lane after lane, with a stride, or anywhere.
  if (in_kernel_ && w_.chance(50))
    w_.line(fmt::format("mul.lo.u32 {}, %lin, {};", r, w_.below(5)));
  else
    w_.line(fmt::format("mov.b32 {}, {};", r, w_.source('r')));
  w_.line(fmt::format("rem.u32 {0}, {0}, {1};", r, places));
  w_.line(fmt::format("mul.wide.u32 {}, {}, {};", d, r, access));
  w_.line(fmt::format("add.s64 {0}, {0}, {1};", d, base));
  return d;
}

void Generator::load_input() {
  const AccessType& t = w_.one_of(kAccessTypes);
  const std::string at = place("%in", kInBytes - 64, t.bytes);
  const std::uint64_t offset = t.bytes * w_.below(64 / t.bytes);
  const std::string space = w_.chance(80) ? ".global" : "";
  result(t.kind, fmt::format("ld{}.{} ", space, t.name), fmt::format(", [{}+{}];", at, offset));
}

/// The thread's own bytes in global, shared or local memory, also through generic addresses.
void Generator::own_memory() {
  const AccessType& t = w_.one_of(kAccessTypes);
  const std::uint64_t which = in_kernel_ ? w_.below(3) : 2;
  const std::string spaces[] = {"global", "shared", "local"};
  const std::string bases[] = {"%own", "%shown", in_kernel_ ? "%loc" : "%floc"};
  const std::uint32_t sizes[] = {kScratchBytes, kSharedSlot, kLocalBytes};
  std::string base = bases[which], space = "." + spaces[which];
  const bool generic = w_.chance(25);
  if (generic) {
    base = w_.unique('d');
    w_.line(fmt::format("cvta.{}.u64 {}, {};", spaces[which], base, bases[which]));
    space.clear();
  }
  const std::string at = place(base, sizes[which], t.bytes);
  if (w_.chance(50)) {
    w_.instruction(fmt::format("st{}.{} [{}], {};", space, t.name, at, w_.source(t.kind)), true);
  } else {
    result(t.kind, fmt::format("ld{}.{} ", space, t.name), fmt::format(", [{}];", at));
  }
}

void Generator::vector_access() {
  struct Vector {
    std::string_view name;
    char kind;
    std::uint32_t bytes, elements;
  };
  static constexpr Vector kVectors[] = {{"v2.b8", 'h', 2, 2},   {"v4.u8", 'r', 4, 4},
                                        {"v2.s16", 'r', 4, 2},  {"v4.b16", 'h', 8, 4},
                                        {"v2.b32", 'r', 8, 2},  {"v4.f32", 'r', 16, 4},
                                        {"v2.f64", 'd', 16, 2}, {"v2.u64", 'd', 16, 2}};
  const Vector& v = w_.one_of(kVectors);
  const bool shared = in_kernel_ && w_.chance(40), local = !in_kernel_ || w_.chance(20);
  const std::string space = local ? "local" : shared ? "shared" : "global";
  const std::string own = local ? (in_kernel_ ? "%loc" : "%floc") : shared ? "%shown" : "%own";
  const std::uint32_t size = local ? kLocalBytes : shared ? kSharedSlot : kScratchBytes;
  const bool input = in_kernel_ && !local && !shared && w_.chance(50);
  const std::string at = place(input ? "%in" : own, input ? kInBytes : size, v.bytes);
  std::string list;
  if (!input && w_.chance(50)) {
    for (std::uint32_t k = 0; k < v.elements; ++k) list += (k ? ", " : "") + w_.source(v.kind);
    w_.instruction(fmt::format("st.{}.{} [{}], {{{}}};", space, v.name, at, list), true);
    return;
  }
  std::vector<std::string> made;
  for (std::uint32_t k = 0; k < v.elements; ++k) {
    made.push_back(w_.fresh(v.kind));
    list += (k ? ", " : "") + made.back();
  }
  w_.line(fmt::format("ld.{}.{} {{{}}}, [{}];", space, v.name, list, at));
  for (const std::string& d : made) w_.offer(v.kind, d);
}

void Generator::parameter() {
  switch (w_.below(in_kernel_ ? 4 : 3)) {
    case 0: return result('r', "ld.param.b32 ", ", [a];");
    case 1: return result('d', "ld.param.b64 ", fmt::format(", [s+{}];", 8 * w_.below(2)));
    case 2:
      return result('h', fmt::format("ld.param.{} ", w_.expand("{u8,s8}")),
                    fmt::format(", [s+{}];", w_.below(16)));
    default: return result('r', "ld.param.f32 ", ", [f];");
  }
}

void Generator::constant() {
  const std::string base = w_.unique('d');
  w_.line(fmt::format("mov.u64 {}, table;", base));
  const std::string at = place(base, kConstBytes, 4);
  result('r', fmt::format("ld.const.{} ", w_.expand("{u32,s32,f32}")), fmt::format(", [{}];", at));
}

/// Operations that commute, each on a word of its own, in global and in shared memory.
void Generator::accumulate() {
  static constexpr std::string_view kOperations[] = {
      "add.u32", "min.s32", "max.u32", "and.b32", "or.b32",  "xor.b32", "add.u64", "min.s64",
      "max.u64", "xor.b64", "min.u32", "max.s32", "and.b64", "inc.u32", "dec.u32"};
  const std::uint64_t k = w_.below(std::size(kOperations));
  const std::string_view o = kOperations[k];
  const bool wide = o.substr(4) == "u64" || o.ends_with("64");
  std::string operand = w_.source(wide ? 'd' : 'r');
  // The bound of a count that goes round must be one and the same.
  if (k >= 13) operand = "5";
  const bool shared = w_.chance(50);
  const bool generic = w_.chance(20);
  const std::string space = generic ? "" : shared ? ".shared" : ".global";
  const std::string base = shared ? (generic ? "%gsacc" : "%sacc") : "%acc";
  w_.instruction(fmt::format("red{}.{} [{}+{}], {};", space, o, base, 8 * k, operand), true);
}

/// What returns something, on the thread's own bytes.
void Generator::own_atomic() {
  static constexpr std::string_view kNarrow[] = {"add.u32", "add.s32", "min.u32", "max.s32",
                                                 "and.b32", "or.b32",  "xor.b32", "exch.b32",
                                                 "inc.u32", "dec.u32", "add.f32", "cas.b32"};
  static constexpr std::string_view kWide[] = {"add.u64",  "min.s64", "max.u64", "and.b64",
                                               "exch.b64", "add.f64", "cas.b64", "xor.b64"};
  const bool wide = w_.chance(40);
  const char kind = wide ? 'd' : 'r';
  const std::string_view o = wide ? w_.one_of(kWide) : w_.one_of(kNarrow);
  const bool shared = !atomics_that_return_ || w_.chance(50);
  const std::string at =
      place(shared ? "%shown" : "%own", shared ? kSharedSlot : kScratchBytes, wide ? 8 : 4);
  std::string operands = w_.source(kind);
  if (o.starts_with("cas")) operands += ", " + w_.source(kind);
  result(kind, fmt::format("atom.{}.{} ", shared ? "shared" : "global", o),
         fmt::format(", [{}], {};", at, operands));
}

/// All threads of the block read what their neighbours wrote, between two barriers.
void Generator::barrier_exchange() {
  const std::string r = w_.unique('r'), at = w_.unique('d');
  const AccessType& t = w_.one_of(kAccessTypes);
  if (w_.chance(30)) {
    const bool counts = w_.chance(40);
    const std::string d = w_.fresh(counts ? 'r' : 'p');
    w_.line(fmt::format("bar.red.{} {}, 0, {}{};", counts ? "popc.u32" : w_.expand("{and,or}.pred"),
                        d, w_.expand("{,!}"), w_.source('p')));
    w_.offer(counts ? 'r' : 'p', d);
    return;
  }
  w_.line(w_.chance(50) ? "bar.sync 0;" : "barrier.cta.sync.aligned 1;");
  w_.line(fmt::format("add.u32 {}, %lin, {};", r, w_.below(40)));
  w_.line(fmt::format("rem.u32 {0}, {0}, %all;", r));
  w_.line(fmt::format("mul.wide.u32 {}, {}, {};", at, r, kSharedSlot));
  w_.line(fmt::format("add.s64 {0}, {0}, %sh;", at));
  result(t.kind, fmt::format("ld.shared.{} ", t.name),
         fmt::format(", [{}+{}];", at, t.bytes * w_.below(kSharedSlot / t.bytes)));
  w_.line("bar.sync 0;");
}

/// What lanes do together.
void Generator::meeting() {
  const std::string& m = members_;
  const std::string p = w_.source('p');
  switch (w_.below(8)) {
    case 0:
    case 1:
    case 2: {
      const std::string d = w_.fresh('r'), q = w_.fresh('p');
      const std::string mode = w_.expand("{up,down,bfly,idx}");
      const std::string amount = w_.chance(60) ? std::to_string(w_.below(32)) : w_.source('r');
      const std::string limits = mode == "up" ? w_.expand("{0,0x1c00,0x1800}")
                                              : w_.expand("{31,0x1c1f,0x181f,0x101f,0xf}");
      const bool both = w_.chance(60);
      w_.line(fmt::format("shfl.sync.{}.b32 {}{}, {}, {}, {}, {};", mode, d, both ? "|" + q : "",
                          w_.source('r'), amount, limits, m));
      w_.offer('r', d);
      if (both) w_.offer('p', q);
      return;
    }
    case 3: {
      const std::string d = w_.fresh('r');
      w_.line(fmt::format("vote.sync.ballot.b32 {}, {}{}, {};", d, w_.expand("{,!}"), p, m));
      w_.offer('r', d);
      return;
    }
    case 4: {
      const std::string d = w_.fresh('p');
      w_.line(fmt::format("vote.sync.{}.pred {}, {}, {};", w_.expand("{all,any,uni}"), d, p, m));
      w_.offer('p', d);
      return;
    }
    case 5: {
      const std::string d = w_.fresh('r'), q = w_.fresh('p');
      const bool wide = w_.chance(30);
      const std::string type = wide ? "b64" : "b32";
      if (w_.chance(50)) {
        w_.line(
            fmt::format("match.sync.any.{} {}, {}, {};", type, d, w_.source(wide ? 'd' : 'r'), m));
      } else {
        w_.line(fmt::format("match.sync.all.{} {}|{}, {}, {};", type, d, q,
                            w_.source(wide ? 'd' : 'r'), m));
        w_.offer('p', q);
      }
      w_.offer('r', d);
      return;
    }
    case 6: {
      const std::string d = w_.fresh('r');
      w_.line(fmt::format("redux.sync.{} {}, {}, {};",
                          w_.expand("{add.u32,add.s32,min.u32,min.s32,max.u32,max.s32,and.b32,"
                                    "or.b32,xor.b32}"),
                          d, w_.source('r'), m));
      w_.offer('r', d);
      return;
    }
    default: {
      if (w_.chance(50)) {
        w_.line(fmt::format("bar.warp.sync {};", m));
        return;
      }
      const std::string d = w_.fresh('r'), q = w_.fresh('p');
      w_.line(fmt::format("elect.sync {}|{}, {};", d, q, m));
      w_.offer('r', d);
      w_.offer('p', q);
      return;
    }
  }
}

}  // namespace warpbook::device::tests::reference
