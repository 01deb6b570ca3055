#include "lab/exhibits/timings/timings.hpp"

#include <algorithm>
#include <cmath>

#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

/// "41.2 µs", or the band where that is all that is known.
std::string time_of(const TimingsExhibit::Row& row, const Strings& strings) {
  if (row.evidence.kind != device::EvidenceKind::estimated) return duration(row.seconds);
  return strings("timings.band", {{"low", duration(row.low)}, {"high", duration(row.high)}});
}

std::string sentence_of(const TimingGroup& group, const Strings& strings) {
  const std::string from = badge(strings, group.front()->evidence);
  const auto by_time = [](const auto* a, const auto* b) { return a->seconds < b->seconds; };
  const TimingsExhibit::Row& fastest = **std::min_element(group.begin(), group.end(), by_time);
  const TimingsExhibit::Row& slowest = **std::max_element(group.begin(), group.end(), by_time);
  if (group.size() == 1) {
    const bool estimated = fastest.evidence.kind == device::EvidenceKind::estimated;
    return strings(
        estimated ? "timings.estimated" : "timings.single",
        {{"label", strings(fastest.label)}, {"time", time_of(fastest, strings)}, {"from", from}});
  }
  // Bands that overlap do not tell which is faster, and a ratio of no time says nothing.
  const auto near =
      static_cast<std::size_t>(std::ranges::count_if(group, [&](const TimingsExhibit::Row* other) {
        return other != &fastest && other->low <= fastest.high;
      }));
  if (near != 0 && near + 1 < group.size()) {
    return strings("timings.some-alike", {{"count", near},
                                          {"all", grouped(group.size())},
                                          {"label", strings(fastest.label)},
                                          {"time", time_of(fastest, strings)},
                                          {"from", from}});
  }
  if (near != 0 || fastest.seconds <= 0 || !std::isfinite(slowest.seconds)) {
    double low = fastest.seconds, high = slowest.seconds;
    for (const TimingsExhibit::Row* row : group) {
      if (row->evidence.kind != device::EvidenceKind::estimated) continue;
      low = std::min(low, row->low);
      high = std::max(high, row->high);
    }
    return strings("timings.alike", {{"count", grouped(group.size())},
                                     {"time", duration(low)},
                                     {"slowest", duration(high)},
                                     {"from", from}});
  }
  return strings("timings.fastest", {{"count", grouped(group.size())},
                                     {"label", strings(fastest.label)},
                                     {"time", time_of(fastest, strings)},
                                     {"slowest", strings(slowest.label)},
                                     {"ratio", number(slowest.seconds / fastest.seconds, 3)},
                                     {"from", from}});
}

constexpr int kMostBarColumns = 32;

/// One badge, then its bars: nothing is held against rows of another evidence. Neighbouring bars with the same bottleneck
/// have its sentence once, below the last of them.
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
  for (std::size_t i = 0; i < group.size(); ++i) {
    const TimingsExhibit::Row* row = group[i];
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
    if (row->bottleneck.empty()) continue;
    const std::string bottleneck = strings(row->bottleneck);
    if (i + 1 < group.size() && strings(group[i + 1]->bottleneck) == bottleneck) continue;
    page.paragraph(bottleneck, 4, Ink::quiet);
  }
}

/// "aos, soa"; of names that are to be translated, the second.
Message both_names(const Message& a, const Message& b) {
  if (a.text.empty() || b.text.empty()) return b;
  return {"comparison.names", {{"a", a.text}, {"b", b.text}}, {}};
}

}  // namespace

std::vector<TimingGroup> groups_of(const TimingsExhibit& timings) {
  std::vector<TimingGroup> groups;
  for (const TimingsExhibit::Row& row : timings.rows) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const TimingGroup& group) {
      return group.front()->evidence == row.evidence;
    });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(&row);
  }
  return groups;
}

std::string sentence_of(const TimingsExhibit& timings, const Strings& strings) {
  if (timings.rows.empty()) return strings("timings.nothing");
  std::vector<std::string> parts;
  if (!timings.what.empty())
    parts.push_back(strings("timings.what", {{"what", strings(timings.what)}}));
  for (const TimingGroup& group : groups_of(timings)) parts.push_back(sentence_of(group, strings));
  return sentences(strings, parts);
}

void text_body(const TimingsExhibit& timings, const Strings& strings, Page& page) {
  for (const TimingGroup& group : groups_of(timings)) draw_group(group, strings, page);
}

std::string html_body(const TimingsExhibit& timings, const Strings& strings, const std::string&) {
  std::string html;
  for (const TimingGroup& group : groups_of(timings)) {
    double longest = 0;
    for (const TimingsExhibit::Row* row : group) {
      for (const double seconds : {row->seconds, row->high}) {
        if (std::isfinite(seconds)) longest = std::max(longest, seconds);
      }
    }
    const double scale = longest > 0 ? 1 / longest : 0;
    std::string rows;
    for (const TimingsExhibit::Row* row : group) {
      const bool band = row->low != row->high;
      std::string spread;
      if (band)
        spread =
            strings("timings.spread", {{"low", duration(row->low)}, {"high", duration(row->high)}});
      rows +=
          tagged("tr", "",
                 "<th scope=\"row\">" + escaped(strings(row->label)) + "</th>" +
                     tagged("td", "wb-bars",
                            svg_bar(row->seconds * scale, row->low * scale, row->high * scale)) +
                     tagged("td", "wb-time", escaped(duration(row->seconds))) +
                     tagged("td", "wb-quiet", escaped(spread)));
      if (!row->bottleneck.empty())
        rows += "<tr><td></td><td class=\"wb-quiet\" colspan=\"3\">" +
                escaped(strings(row->bottleneck)) + "</td></tr>";
    }
    html += badge_html(group.front()->evidence, strings) +
            tagged("table", "wb-table wb-timings", tagged("tbody", "", rows));
  }
  return html;
}

Table table_of(const TimingsExhibit& timings, const Strings& strings) {
  Table table{{strings("table.what"), strings("table.seconds"), strings("table.low"),
               strings("table.high"), strings("table.samples"), strings("table.evidence"),
               strings("table.on"), strings("table.because")},
              {}};
  for (const TimingsExhibit::Row& row : timings.rows) {
    table.rows.push_back({strings(row.label), exact_text(row.seconds), exact_text(row.low),
                          exact_text(row.high), std::to_string(row.samples),
                          std::string(device::name_of(row.evidence.kind)), strings(row.evidence.on),
                          strings(row.bottleneck)});
  }
  return table;
}

void compare(const TimingsExhibit& a, const TimingsExhibit& b, Comparer& comparer) {
  using Row = TimingsExhibit::Row;
  const auto time_of_row = [](const Row& row) {
    return Comparer::Time{row.seconds, row.low, row.high, row.evidence.on};
  };
  const auto like_of = [](const std::vector<Row>& rows, const Row& row) -> const Row* {
    const auto found = std::ranges::find_if(rows, [&](const Row& other) {
      return other.label == row.label && other.evidence.kind == row.evidence.kind;
    });
    return found == rows.end() ? nullptr : &*found;
  };
  // Kernels of two names are still the same thing to be timed where each is the only one without its like.
  std::vector<const Row*> rest_a;
  for (const Row& row : a.rows) {
    if (!like_of(b.rows, row)) rest_a.push_back(&row);
  }
  const auto only_one = [&](const std::vector<Row>& rows, const std::vector<Row>& others,
                            const Row& row) {
    return std::ranges::count_if(rows, [&](const Row& one) {
             return one.evidence.kind == row.evidence.kind && !like_of(others, one);
           }) == 1;
  };
  for (const Row& row : b.rows) {
    const Row* other = like_of(a.rows, row);
    Message name = row.label;
    const auto left = std::ranges::find_if(
        rest_a, [&](const Row* one) { return one->evidence.kind == row.evidence.kind; });
    if (!other && left != rest_a.end() && only_one(a.rows, b.rows, row) &&
        only_one(b.rows, a.rows, row)) {
      other = *left;
      name = both_names(other->label, row.label);
      rest_a.erase(left);
    }
    comparer.time(std::move(name), row.evidence.kind,
                  other ? std::optional(time_of_row(*other)) : std::nullopt, time_of_row(row));
  }
  for (const Row* row : rest_a)
    comparer.time(row->label, row->evidence.kind, time_of_row(*row), std::nullopt);
}

std::string_view style_of(std::type_identity<TimingsExhibit> /*kind*/) {
  return R"css(.wb-timings { width: 100%; }
.wb-bars { width: 50%; }
)css";
}

}  // namespace warpbook::lab
