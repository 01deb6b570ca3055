#include "lab/exhibits/stack/stack_words.hpp"
#include "lab/markup/html_parts.hpp"

namespace warpbook::lab {
namespace {

std::string part_html(const StackExhibit::Part& part, const Strings& strings) {
  std::string html = tagged("strong", "", escaped(strings(part.name))) + " " +
                     tagged("span", "wb-got", escaped(strings(state_key(part.state))));
  for (const std::string& found : part.found)
    html += tagged("div", "", tagged("code", "", escaped(found)));
  if (const std::string problem = problem_of(part, strings); !problem.empty())
    html += tagged("p", "wb-more", escaped(problem));
  if (!part.remedy.empty()) {
    html +=
        tagged("p", "wb-advice", escaped(strings("machine.remedy", {{"command", part.remedy}})));
  }
  return tagged("li", "wb-" + std::string(name_of(part.state)), html);
}

}  // namespace

std::string html_body(const StackExhibit& stack, const Strings& strings, const std::string&) {
  std::string html;
  for (const StackSide& side : sides_of(stack)) {
    std::string parts;
    for (const StackExhibit::Part* part : side.parts) parts += part_html(*part, strings);
    html += tagged("h4", "", escaped(strings("stack.side." + std::string(name_of(side.side))))) +
            tagged("ul", "", parts);
  }
  for (const StackExhibit::Fit& fit : stack.fits) {
    html += tagged("p", fit.fits ? "wb-more" : "wb-more wb-bad", escaped(fit_text(fit, strings)));
  }
  if (!stack.when.empty())
    html += tagged("p", "wb-more", escaped(strings("stack.when", {{"when", stack.when}})));
  return html;
}

}  // namespace warpbook::lab
