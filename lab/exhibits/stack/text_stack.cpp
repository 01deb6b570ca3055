#include <algorithm>

#include "lab/exhibits/stack/stack_words.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

struct Look {
  std::string_view mark;
  Ink ink;
};

Look look_of(StackExhibit::State state) {
  switch (state) {
    case StackExhibit::State::here: return {"✓", Ink::good};
    case StackExhibit::State::missing: return {"·", Ink::quiet};
    case StackExhibit::State::unusable: return {"✗", Ink::bad};
  }
  __builtin_unreachable();
}

}  // namespace

void text_body(const StackExhibit& stack, const Strings& strings, Page& page) {
  if (stack.parts.empty()) return;
  int name_columns = 0;
  for (const StackExhibit::Part& part : stack.parts)
    name_columns = std::max(name_columns, columns_of(strings(part.name)));
  name_columns = std::min(name_columns, page.width() / 3);
  const int indent = name_columns + 6;
  for (const StackSide& side : sides_of(stack)) {
    page.line("  " +
              page.ink(Ink::quiet, strings("stack.side." + std::string(name_of(side.side)))));
    for (const StackExhibit::Part* part : side.parts) {
      const Look look = look_of(part->state);
      std::string line = "  " + page.ink(look.ink, look.mark) + " ";
      line +=
          page.ink(Ink::plain, padded(clipped(strings(part->name), name_columns), name_columns));
      const std::string first =
          part->found.empty() ? strings(state_key(part->state)) : printable(part->found.front());
      page.line(line + "  " +
                page.ink(Ink::strong, clipped(first, std::max(8, page.width() - indent))));
      for (std::size_t i = 1; i < part->found.size(); ++i)
        page.paragraph(part->found[i], indent, Ink::quiet);
      if (const std::string problem = problem_of(*part, strings); !problem.empty())
        page.paragraph(problem, indent, Ink::quiet);
      if (!part->remedy.empty())
        page.paragraph("→ " + strings("machine.remedy", {{"command", part->remedy}}), indent,
                       Ink::accent);
    }
  }
  for (const StackExhibit::Fit& fit : stack.fits) {
    page.paragraph(fit_text(fit, strings), 2, fit.fits ? Ink::plain : Ink::bad);
  }
  if (!stack.when.empty())
    page.paragraph(strings("stack.when", {{"when", stack.when}}), 2, Ink::quiet);
}

}  // namespace warpbook::lab
