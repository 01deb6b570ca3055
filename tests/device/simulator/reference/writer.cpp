#include "tests/device/simulator/reference/writer.hpp"

namespace warpbook::device::tests::reference {
namespace {

constexpr std::string_view kTypes[] = {"pred", "b16", "b32", "b64", "b128"};

}  // namespace

std::string Writer::expand(std::string_view pattern) {
  std::string out;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    out += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}');
    std::string_view inside = pattern.substr(open + 1, close - open - 1);
    std::vector<std::string_view> choices;
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
      comma = inside.find(',');
      choices.push_back(inside.substr(0, comma));
      if (comma != std::string_view::npos) inside.remove_prefix(comma + 1);
    }
    out += one_of(choices);
    pattern.remove_prefix(close + 1);
  }
  return out;
}

void Writer::line(const std::string& text) { text_ += text + "\n"; }

void Writer::instruction(const std::string& text, bool may_guard) {
  if (chance(12)) line(fmt::format(".loc 1 {} 0", 1 + below(20)));
  std::string guard;
  if (may_guard && chance(25)) guard = fmt::format("@{}{} ", chance(30) ? "!" : "", source('p'));
  line(guard + text);
}

std::string Writer::source(char kind) {
  const std::size_t k = kClasses.find(kind);
  const std::size_t count = writable_[k].size() + constant_[k].size();
  if (count == 0) {
    const std::string r = fresh(kind);
    switch (kind) {
      case 'p': line(fmt::format("setp.gt.s32 {}, {}, {};", r, source('r'), integer(32))); break;
      case 'h': line(fmt::format("cvt.u16.u32 {}, {};", r, source('r'))); break;
      case 'r': line(fmt::format("mov.b32 {}, {};", r, integer(32))); break;
      case 'd': line(fmt::format("mov.b64 {}, {};", r, integer(64))); break;
      default: line(fmt::format("mov.b128 {}, {{{}, {}}};", r, source('d'), source('d'))); break;
    }
    offer(kind, r);
    return r;
  }
  const std::size_t at = below(count);
  return at < writable_[k].size() ? writable_[k][at] : constant_[k][at - writable_[k].size()];
}

std::string Writer::fresh(char kind) {
  return fmt::format("%{}{}", kind, made_[kClasses.find(kind)]++);
}

std::string Writer::destination(char kind, bool& is_new) {
  const auto& there = writable_[kClasses.find(kind)];
  is_new = there.empty() || chance(there.size() > 12 ? 40 : 75);
  return is_new ? fresh(kind) : one_of(there);
}

void Writer::offer(char kind, const std::string& name, bool constant) {
  (constant ? constant_ : writable_)[kClasses.find(kind)].push_back(name);
}

Writer::Scope Writer::mark() const {
  Scope s;
  for (std::size_t k = 0; k < 5; ++k) {
    s.writable[k] = writable_[k].size();
    s.constant[k] = constant_[k].size();
  }
  return s;
}

void Writer::forget(const Scope& s) {
  for (std::size_t k = 0; k < 5; ++k) {
    writable_[k].resize(s.writable[k]);
    constant_[k].resize(s.constant[k]);
  }
}

std::string Writer::declarations() const {
  std::string out;
  for (std::size_t k = 0; k < 5; ++k)
    out += fmt::format(".reg .{} %{}<{}>;\n", kTypes[k], kClasses[k], made_[k] + 1);
  for (std::size_t k = 0; k < 5; ++k)
    out += fmt::format(".reg .{} %{}x<{}>;\n", kTypes[k], kClasses[k], uniques_ + 1);
  return out;
}

std::string Writer::take_text() {
  std::string text = std::move(text_);
  text_.clear();
  forget({});
  return text;
}

}  // namespace warpbook::device::tests::reference
