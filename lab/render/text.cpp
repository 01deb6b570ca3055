#include "lab/markup/phrases.hpp"
#include "lab/render/render.hpp"

namespace warpbook::lab {
namespace {

constexpr int kIndent = 2;

void draw(const Exhibit& exhibit, const Strings& strings, Page& page) {
  const std::string title = strings(exhibit.title);
  std::string head = page.ink(Ink::strong, title.empty() ? exhibit.id : title);
  if (exhibit.evidence)
    head += "  " + page.ink(Ink::quiet, "[" + badge(strings, *exhibit.evidence) + "]");
  page.line(head);
  if (!is_text(exhibit)) page.paragraph(sentence(exhibit, strings));
  std::visit([&](const auto& value) { text_body(value, strings, page); }, exhibit.value);
}

}  // namespace

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
      page.paragraph("✗ " + strings(error), kIndent, Ink::bad);
  }
  return page.take();
}

}  // namespace warpbook::lab
