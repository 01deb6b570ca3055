#include <algorithm>
#include <cmath>

#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/model/report.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kTextIndent = 2;
constexpr std::size_t kTextMostTextLines = 200;
constexpr int kMostBarColumns = 32;

struct StateLook {
  std::string_view mark;
  Ink ink;
};

StateLook look_of(CheckExhibit::State state) {
  switch (state) {
    case CheckExhibit::State::passed: return {"✓", Ink::good};
    case CheckExhibit::State::failed: return {"✗", Ink::bad};
    case CheckExhibit::State::warning: return {"!", Ink::warn};
    case CheckExhibit::State::waiting: return {"·", Ink::quiet};
  }
  __builtin_unreachable();
}

void draw_item(const CheckExhibit::Item& item, const Strings& strings, Page& page) {
  const StateLook look = look_of(item.state);
  std::string right = strings(item.got);
  if (item.line != 0 && item.state != CheckExhibit::State::passed) {
    right +=
        (right.empty() ? "" : " · ") + strings("check.line", {{"line", std::to_string(item.line)}});
  }
  const std::string left =
      clipped(strings(item.sentence), std::max(8, page.width() - 6 - columns_of(right)));
  const int room = page.width() - 4 - columns_of(right);
  page.line("  " + page.ink(look.ink, look.mark) + " " +
            page.ink(Ink::plain, padded(left, std::min(room, 48))) +
            page.ink(Ink::quiet, " " + right));
  if (item.state == CheckExhibit::State::passed) return;
  std::string cases;
  for (const CheckExhibit::Case& one : item.cases) {
    cases += (cases.empty() ? "" : "   ") + one.name + (one.passed ? " ✓" : " ✗");
  }
  if (!cases.empty()) page.paragraph(cases, 4);
  for (const CheckExhibit::Mismatch& mismatch : item.mismatches) {
    page.paragraph(strings(mismatch.written_by.empty() ? "check.mismatch" : "check.mismatch-by",
                           {{"index", std::to_string(mismatch.index)},
                            {"expected", mismatch.expected},
                            {"got", mismatch.got},
                            {"who", mismatch.written_by}}),
                   4);
  }
  if (!item.advice.empty()) page.paragraph("→ " + strings(item.advice), 4, Ink::accent);
}

/// One badge, then its bars: nothing is held against rows of another evidence.
void draw_group(const TimingGroup& group, const Strings& strings, Page& page) {
  double longest = 0;
  int label_columns = 0;
  for (const TimingsExhibit::Row* row : group) {
    if (std::isfinite(row->seconds)) longest = std::max(longest, row->seconds);
    label_columns = std::max(label_columns, columns_of(strings(row->label)));
  }
  label_columns = std::min(label_columns, page.width() / 3);
  const int bar_columns = std::clamp(page.width() - label_columns - 40, 4, kMostBarColumns);
  page.line("  " + page.ink(Ink::quiet, "[" + badge(strings, group.front()->evidence) + "]"));
  for (const TimingsExhibit::Row* row : group) {
    const double fraction = longest > 0 && std::isfinite(row->seconds) ? row->seconds / longest : 0;
    std::string text =
        "  " +
        page.ink(Ink::plain, padded(clipped(strings(row->label), label_columns), label_columns));
    text += "  " + page.ink(Ink::accent, padded(bar(fraction, bar_columns), bar_columns));
    text += "  " + page.ink(Ink::strong, padded_left(duration(row->seconds), 8));
    if (row->low != row->high) {
      text +=
          "  " + page.ink(Ink::quiet, strings("timings.spread", {{"low", duration(row->low)},
                                                                 {"high", duration(row->high)}}));
    }
    if (row->samples > 1) {
      text += "  " +
              page.ink(Ink::quiet, strings("timings.samples", {{"count", grouped(row->samples)}}));
    }
    page.line(text);
    if (!row->because.empty()) page.paragraph(strings(row->because), 4, Ink::quiet);
  }
}

void draw(const Exhibit& exhibit, const Strings& strings, Page& page) {
  const std::string title = strings(exhibit.title);
  std::string head = page.ink(Ink::strong, title.empty() ? exhibit.id : title);
  if (exhibit.evidence)
    head += "  " + page.ink(Ink::quiet, "[" + badge(strings, *exhibit.evidence) + "]");
  page.line(head);
  if (!body_says_it_all(exhibit)) page.paragraph(sentence(exhibit, strings));
  std::visit([&](const auto& value) { body(value, strings, page); }, exhibit.value);
}

}  // namespace

void body(const GeometryExhibit& geometry, const Strings& strings, Page& page) {
  const auto part = [&](std::string_view name, const std::string& value) {
    return page.ink(Ink::quiet, strings(name)) + " " + page.ink(Ink::strong, value);
  };
  const std::string idle =
      geometry.idle_known ? grouped(geometry.idle) : strings("geometry.unknown");
  page.line("  " + part("geometry.grid", extent(geometry.grid)) + "   " +
            part("geometry.block", extent(geometry.block)) + "   " +
            part("geometry.threads", grouped(geometry.threads)) + "   " +
            part("geometry.idle-threads", idle));
}

void body(const TimingsExhibit& timings, const Strings& strings, Page& page) {
  for (const TimingGroup& group : groups_of(timings)) draw_group(group, strings, page);
}

void body(const CheckExhibit& check, const Strings& strings, Page& page) {
  for (const CheckExhibit::Item& item : check.items) draw_item(item, strings, page);
}

void body(const TextExhibit& exhibit, const Strings& strings, Page& page) {
  const std::string text = strings(exhibit.text);
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t shown = std::min(lines.size(), kTextMostTextLines);
  for (std::size_t i = 0; i < shown; ++i) {
    if (exhibit.code)
      page.line("  " +
                page.ink(Ink::plain, clipped(printable(lines[i]), page.width() - kTextIndent)));
    else
      page.paragraph(lines[i]);
  }
  if (shown < lines.size())
    page.paragraph(counted(strings, "text.more-lines", lines.size() - shown), kTextIndent,
                   Ink::quiet);
}

std::string to_text(const Exhibit& exhibit, const Strings& strings, int width) {
  Page page(width, false);
  draw(exhibit, strings, page);
  return page.take();
}

std::string to_text(const Report& report, const Strings& strings, int width, bool colour) {
  Page page(width, colour);
  page.line(page.ink(Ink::strong, report.subject) + "  " +
            page.ink(Ink::quiet, run_summary(strings, report)));
  for (const Exhibit& exhibit : report.exhibits) {
    page.line();
    draw(exhibit, strings, page);
  }
  if (report.exhibits.empty() && report.errors.empty()) page.paragraph(strings("report.nothing"));
  if (!report.errors.empty()) {
    page.line();
    page.paragraph(counted(strings, "report.errors", report.errors.size()), 0, Ink::bad);
    for (const device::Error& error : report.errors)
      page.paragraph("✗ " + strings(error), kTextIndent, Ink::bad);
  }
  return page.take();
}

}  // namespace warpbook::lab
