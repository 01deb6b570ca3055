#include "device/libraries/problem.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warpbook::device::libraries {
namespace {

// Beyond that no array of this program's fits a machine, and products of extents no 64 bits. Libraries count one extent in 32 bits
// (cuDNN divides by 0 where it has more).
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

template <class E>
bool find(std::string_view name, E& value) {
  const auto found = std::ranges::find(kEnumNames<E>, name);
  if (found == kEnumNames<E>.end()) return false;
  value = static_cast<E>(found - kEnumNames<E>.begin());
  return true;
}

std::int64_t extent(std::int64_t image, std::int64_t window, std::int64_t pad, std::int64_t stride,
                    std::int64_t dilation) {
  const std::int64_t covered = (window - 1) * dilation + 1;
  return (image + 2 * pad - covered) / stride + 1;
}

/// `what` is a key below phrase.what, `why` one below phrase.why.
tl::unexpected<Error> bad(const std::string& what, std::string value, const std::string& why,
                          MessageArguments arguments = {}) {
  return failure(ErrorCode::bad_problem,
                 {{"what", Message{"phrase.what." + what, {}, {}}},
                  {"value", std::move(value)},
                  {"why", Message{"phrase.why." + why, std::move(arguments), {}}}});
}

std::string text_of(const Shape& s) { return fmt::format("{}x{}x{}x{}", s.n, s.c, s.h, s.w); }
std::string text_of(const Along& a) { return fmt::format("{}x{}", a.h, a.w); }

bool too_large(std::initializer_list<std::int64_t> extents) {
  std::int64_t elements = 1;
  for (const std::int64_t each : extents) {
    if (each > INT32_MAX || each > kMostElements / elements) return true;
    elements *= each;
  }
  return false;
}

Expected<void> check_window(const Problem& p) {
  const bool convolution = p.kind == ProblemKind::convolution;
  const char* const window = convolution ? "the-filter" : "the-window";
  if (std::min(p.window.h, p.window.w) < 1 || p.filters < 1) {
    return bad(window,
               convolution ? fmt::format("{}x{}", p.filters, text_of(p.window)) : text_of(p.window),
               "extents");
  }
  if (std::min(p.stride.h, p.stride.w) < 1)
    return bad("the-stride", text_of(p.stride), "at-least-one");
  if (std::min(p.dilation.h, p.dilation.w) < 1)
    return bad("the-dilation", text_of(p.dilation), "at-least-one");
  if (std::min(p.pad.h, p.pad.w) < 0) return bad("the-padding", text_of(p.pad), "at-least-zero");
  for (const std::int64_t each : {p.window.h, p.window.w, p.stride.h, p.stride.w, p.dilation.h,
                                  p.dilation.w, p.pad.h, p.pad.w}) {
    if (each > INT32_MAX) return bad(window, text_of(p.window), "too-far");
  }
  if (too_large({p.filters, p.image.c, p.window.h, p.window.w}))
    return bad(window, text_of(p.window), "too-far");
  const Along covered{(p.window.h - 1) * p.dilation.h + 1, (p.window.w - 1) * p.dilation.w + 1};
  const Along padded{p.image.h + 2 * p.pad.h, p.image.w + 2 * p.pad.w};
  if (covered.h > padded.h || covered.w > padded.w) {
    return bad(window, text_of(p.window), "filter-covers",
               {{"covers", text_of(covered)}, {"image", text_of(padded)}});
  }
  return {};
}

Expected<void> check_groups(const Problem& p) {
  const auto refused = [&](const std::string& why, MessageArguments arguments = {}) {
    return bad("the-groups", std::to_string(p.groups), why, std::move(arguments));
  };
  if (p.groups == 1) return {};
  if (p.kind != ProblemKind::convolution) return refused("no-groups");
  if (p.groups < 1) return refused("few-groups");
  if (p.image.c % p.groups != 0) return refused("uneven-channels", {{"count", p.image.c}});
  if (p.filters % p.groups != 0) return refused("uneven-filters", {{"count", p.filters}});
  return {};
}

}  // namespace

bool parse(std::string_view name, Pass& pass) { return find(name, pass); }
bool parse(std::string_view name, Layout& layout) { return find(name, layout); }
bool parse(std::string_view name, Precision& precision) { return find(name, precision); }

Shape result_of(const Problem& p) {
  return {p.image.n, p.kind == ProblemKind::convolution ? p.filters : p.image.c,
          extent(p.image.h, p.window.h, p.pad.h, p.stride.h, p.dilation.h),
          extent(p.image.w, p.window.w, p.pad.w, p.stride.w, p.dilation.w)};
}

Shape filters_of(const Problem& p) {
  return {p.filters, p.image.c / p.groups, p.window.h, p.window.w};
}

Tensors tensors_of(const Problem& p) {
  const bool forward = p.pass == Pass::forward;
  const Shape& x = p.image;
  switch (p.kind) {
    case ProblemKind::convolution: {
      const Shape w = filters_of(p), y = result_of(p);
      if (forward) return {{{"x", x}, {"w", w}}, {"y", y}};
      if (p.pass == Pass::data) return {{{"dy", y}, {"w", w}}, {"dx", x}};
      return {{{"x", x}, {"dy", y}}, {"dw", w}};
    }
    case ProblemKind::matmul:
      return {{{"a", {1, 1, p.m, p.k}}, {"b", {1, 1, p.k, p.n}}}, {"c", {1, 1, p.m, p.n}}};
    case ProblemKind::softmax:
      if (forward) return {{{"x", x}}, {"y", x}};
      return {{{"y", x}, {"dy", x}}, {"dx", x}};
    case ProblemKind::activation:
    case ProblemKind::pooling: {
      const Shape y = p.kind == ProblemKind::pooling ? result_of(p) : x;
      if (forward) return {{{"x", x}}, {"y", y}};
      return {{{"x", x}, {"y", y}, {"dy", y}}, {"dx", x}};
    }
  }
  __builtin_unreachable();
}

Expected<void> check(const Problem& p) {
  if (p.pass != Pass::forward && p.kind == ProblemKind::matmul)
    return bad("the-pass", std::string(name_of(p.pass)), "matmul-pass");
  if (p.pass == Pass::filter && p.kind != ProblemKind::convolution)
    return bad("the-pass", "filter", "no-filters");
  if (p.kind == ProblemKind::matmul) {
    if (auto parts = check_groups(p); !parts) return parts;
    if (std::min({p.m, p.n, p.k}) < 1)
      return bad("the-shape", fmt::format("{}x{}x{}", p.m, p.n, p.k), "extents");
    if (too_large({p.m, p.n, p.k}))
      return bad("the-shape", fmt::format("{}x{}x{}", p.m, p.n, p.k), "too-far");
    return {};
  }
  const auto [n, c, h, w] = p.image.extents();
  if (std::min({n, c, h, w}) < 1) return bad("the-shape", text_of(p.image), "extents");
  if (too_large({n, c, h, w})) return bad("the-shape", text_of(p.image), "too-far");
  if (auto parts = check_groups(p); !parts) return parts;
  if (p.kind != ProblemKind::convolution && p.kind != ProblemKind::pooling) return {};
  if (auto fits = check_window(p); !fits) return fits;
  const Shape y = result_of(p);
  if (too_large({y.n, y.c, y.h, y.w, p.image.c, p.window.h, p.window.w}))
    return bad("the-shape", text_of(p.image), "too-far");
  return {};
}

std::int64_t multiply_adds(const Problem& p) {
  if (p.kind == ProblemKind::matmul) return p.m * p.n * p.k;
  if (p.kind != ProblemKind::convolution) return 0;
  const Shape w = filters_of(p);
  return result_of(p).count() * w.c * w.h * w.w;
}

}  // namespace warpbook::device::libraries
