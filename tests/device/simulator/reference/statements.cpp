// Control flow of a generated program: branches, loops, tables, jumps at will, calls.
#include "tests/device/simulator/reference/statements.hpp"

namespace warpbook::device::tests::reference {

void Generator::branch(int depth) {
  const std::string p = w_.source('p'), other = w_.label(), end = w_.label();
  const std::string outer = members_;
  std::string inside, outside;
  if (!members_.empty() && w_.chance(60)) {
    // Who goes where, asked while all are still together.
    inside = w_.unique('r');
    outside = w_.unique('r');
    w_.line(fmt::format("vote.sync.ballot.b32 {}, {}, {};", inside, p, members_));
    w_.line(fmt::format("vote.sync.ballot.b32 {}, !{}, {};", outside, p, members_));
  }
  const bool has_else = w_.chance(50);
  // p may be written inside, so the branch alone reads it.
  w_.instruction(fmt::format("@!{} bra {};", p, has_else ? other : end), false);
  const Writer::Scope scope = w_.mark();
  members_ = inside;
  statements(depth + 1, 1 + w_.below(5));
  w_.forget(scope);
  if (has_else) {
    w_.instruction(fmt::format("bra {};", end), false);
    w_.line(other + ":");
    members_ = outside;
    statements(depth + 1, 1 + w_.below(5));
    w_.forget(scope);
  }
  w_.line(end + ":");
  members_ = outer;
}

void Generator::loop(int depth) {
  const std::string head = w_.label(), next = w_.label(), end = w_.label();
  const std::string count = w_.unique('r'), limit = w_.unique('r'), p = w_.unique('p');
  const bool uniform = w_.chance(50), tested_first = w_.chance(50);
  w_.line(fmt::format("mov.u32 {}, 0;", count));
  if (uniform)
    w_.line(fmt::format("mov.u32 {}, {};", limit, 1 + w_.below(4)));
  else
    w_.line(fmt::format("and.b32 {}, {}, {};", limit, w_.source('r'), w_.chance(70) ? 3 : 7));
  w_.line(head + ":");
  if (tested_first) {
    w_.line(fmt::format("setp.ge.u32 {}, {}, {};", p, count, limit));
    w_.instruction(fmt::format("@{} bra {};", p, end), false);
  }
  const Writer::Scope scope = w_.mark();
  w_.offer('r', count, true);
  const std::string outer = members_;
  const bool may_leave = w_.chance(35);
  if (!uniform || may_leave) members_.clear();
  loops_.push_back({next, end, may_leave});
  statements(depth + 1, 2 + w_.below(5));
  loops_.pop_back();
  members_ = outer;
  w_.forget(scope);
  w_.line(next + ":");
  w_.instruction(fmt::format("add.u32 {0}, {0}, 1;", count), false);
  if (tested_first) {
    w_.instruction(fmt::format("bra {};", head), false);
  } else {
    w_.line(fmt::format("setp.lt.u32 {}, {}, {};", p, count, limit));
    w_.instruction(fmt::format("@{} bra {};", p, head), false);
  }
  w_.line(end + ":");
}

void Generator::table(int depth) {
  const std::string index = w_.unique('r'), name = "T" + w_.label(), end = w_.label();
  const std::uint64_t arms = 2 + w_.below(3);
  std::vector<std::string> labels;
  std::string list;
  for (std::uint64_t k = 0; k < arms; ++k) {
    labels.push_back(w_.label());
    list += (k ? ", " : "") + labels.back();
  }
  if (w_.chance(30)) list += ", " + end;
  w_.line(fmt::format("rem.u32 {}, {}, {};", index, w_.source('r'), arms));
  w_.line(fmt::format("{}: .branchtargets {};", name, list));
  w_.instruction(fmt::format("brx.idx {}, {};", index, name), false);
  const std::string outer = members_;
  members_.clear();
  const Writer::Scope scope = w_.mark();
  for (const std::string& l : labels) {
    w_.line(l + ":");
    statements(depth + 1, 1 + w_.below(3));
    w_.forget(scope);
    w_.instruction(fmt::format("bra {};", end), false);
  }
  w_.line(end + ":");
  members_ = outer;
}

/// Blocks that jump to each other as they please until their fuel is spent: loops with many entries.
void Generator::gotos() {
  const std::string fuel = w_.unique('r'), p = w_.unique('p'), end = w_.label();
  const std::string outer = members_;
  members_.clear();
  std::vector<std::string> labels;
  const std::uint64_t blocks = 3 + w_.below(4);
  for (std::uint64_t k = 0; k < blocks; ++k) labels.push_back(w_.label());
  w_.line(fmt::format("and.b32 {}, {}, 15;", fuel, w_.source('r')));
  const Writer::Scope scope = w_.mark();
  for (const std::string& l : labels) {
    w_.line(l + ":");
    w_.line(fmt::format("setp.eq.u32 {}, {}, 0;", p, fuel));
    w_.instruction(fmt::format("@{} bra {};", p, end), false);
    w_.line(fmt::format("sub.u32 {0}, {0}, 1;", fuel));
    for (std::uint64_t k = w_.below(4); k > 0; --k) {
      w_.operation(p_.approximate);
      w_.forget(scope);
    }
    w_.instruction(
        fmt::format("@{}{} bra {};", w_.expand("{,!}"), w_.source('p'), w_.one_of(labels)), false);
    w_.forget(scope);
    if (w_.chance(40)) w_.instruction(fmt::format("bra {};", w_.one_of(labels)), false);
  }
  w_.line(end + ":");
  members_ = outer;
}

/// All functions take (b32, b64, 16 bytes) and give a b32.
void Generator::call() {
  if (functions_ == 0) return;
  const std::string a = w_.source('r'), b = w_.source('d'), c = w_.source('r'), e = w_.source('d');
  const std::uint64_t callee = w_.below(static_cast<std::uint64_t>(functions_));
  std::string target = fmt::format("f{}", callee), prototype;
  if (w_.chance(30)) {
    const std::string first = w_.unique('d'), second = w_.unique('d');
    target = w_.unique('d');
    w_.line(fmt::format("mov.u64 {}, f{};", first, callee));
    if (w_.chance(50))
      w_.line(fmt::format("ld.global.u64 {}, [functions+{}];", second,
                          8 * w_.below(static_cast<std::uint64_t>(functions_))));
    else
      w_.line(fmt::format("mov.u64 {}, f0;", second));
    w_.line(fmt::format("selp.b64 {}, {}, {}, {};", target, first, second, w_.source('p')));
    prototype = "P" + w_.label();
  }
  w_.line("{");
  w_.line(".param .b32 pa; .param .b64 pb; .param .align 8 .b8 ps[16]; .param .b32 pr;");
  w_.line(fmt::format("st.param.b32 [pa], {};", a));
  w_.line(fmt::format("st.param.b64 [pb], {};", b));
  w_.line(fmt::format("st.param.v2.b32 [ps], {{{}, {}}};", a, c));
  w_.line(fmt::format("st.param.b64 [ps+8], {};", e));
  if (!prototype.empty()) {
    w_.line(
        fmt::format("{}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _, "
                    ".param .align 8 .b8 _[16]);",
                    prototype));
  }
  w_.instruction(fmt::format("call (pr), {}, (pa, pb, ps){};", target,
                             prototype.empty() ? "" : ", " + prototype),
                 false);
  const std::string d = w_.fresh('r');
  w_.line(fmt::format("ld.param.b32 {}, [pr];", d));
  w_.line("}");
  w_.offer('r', d);
}

void Generator::statement(int depth) {
  const std::uint64_t what = w_.below(100);
  const bool nests = depth < 4 && budget_ > 6;
  if (what < 44) return w_.operation(p_.approximate);
  if (what < 50) return in_kernel_ ? load_input() : parameter();
  if (what < 58) return own_memory();
  if (what < 61) return vector_access();
  if (what < 63) return parameter();
  if (what < 65) return constant();
  if (what < 69 && in_kernel_) return accumulate();
  if (what < 71 && in_kernel_) return own_atomic();
  if (what < 79 && nests) return branch(depth);
  if (what < 84 && nests) return loop(depth);
  if (what < 86 && nests) return table(depth);
  if (what < 87 && nests) return gotos();
  if (what < 90 && in_kernel_) return call();
  if (what < 95 && in_kernel_ && !members_.empty()) return meeting();
  if (what < 97 && in_kernel_ && depth == 0) return barrier_exchange();
  if (what < 99 && !loops_.empty() && loops_.back().may_leave) {
    const LoopLabels& l = loops_.back();
    const bool leaves = w_.chance(50);
    w_.instruction(
        fmt::format("@{}{} bra {};", w_.expand("{,!}"), w_.source('p'), leaves ? l.end : l.next),
        false);
    return;
  }
  w_.operation(p_.approximate);
}

void Generator::statements(int depth, std::uint64_t count) {
  for (; count > 0 && budget_ > 0; --count) {
    --budget_;
    statement(depth);
  }
}

}  // namespace warpbook::device::tests::reference
