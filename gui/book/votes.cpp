#include "gui/book/votes.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "device/platform.hpp"
#include "lab/grading/csv.hpp"

namespace warpbook::gui {
namespace {
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestFile = 64u << 20;

enum Column : std::uint8_t { lecture, chapter, question, vote, choice, value, right, hands };
const lab::CsvRow& head() {
  static const lab::CsvRow names{"lecture", "chapter", "question", "vote",
                                 "choice",  "value",   "right",    "hands"};
  return names;
}

lab::CsvRow row_of(const VoteRow& row) {
  return {row.lecture,  row.chapter,
          row.question, row.vote == Vote::first ? "1" : "2",
          row.choice,   lab::safe_cell(row.value),
          row.right,    std::to_string(row.hands)};
}

/// The rows of the file, without its head; none where there is no file yet.
device::Expected<std::vector<lab::CsvRow>> read_rows(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::vector<lab::CsvRow>();
  const auto text = device::read_file(file, kLargestFile);
  if (!text) return tl::unexpected(text.error());
  auto csv = lab::parse_csv(*text);
  const bool ours = csv && !csv->rows.empty() && csv->rows.front() == head() &&
                    std::ranges::all_of(csv->rows, [](const lab::CsvRow& row) {
                      return row.size() == head().size();
                    });
  if (!ours)
    return device::failure(
        device::ErrorCode::file_unreadable,
        {{"file", file.string()}, {"why", device::Message{"phrase.why.no-votes", {}, {}}}});
  csv->rows.erase(csv->rows.begin());
  return std::move(csv->rows);
}

int number_in(const std::string& cell) {
  int number = 0;
  std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return number;
}
}  // namespace

int Poll::total(Vote vote) const { return std::accumulate(of(vote).begin(), of(vote).end(), 0); }

double Poll::share(Vote vote, std::size_t choice) const {
  const int all = total(vote);
  return all == 0 ? 0 : static_cast<double>(hands(vote, choice)) / all;
}

void Poll::take(Vote vote) {
  vote_ = vote;
  selected_.reset();
}

void Poll::select(std::size_t choice) {
  if (choice >= choices_) return;
  selected_ = choice;
  begins_ = true;
}

void Poll::type(int digit) {
  if (!selected_) return;
  const int before = std::exchange(begins_, false) ? 0 : count();
  const int after = before * 10 + digit;
  if (after <= kMostHands) count() = after;
}

void Poll::erase() {
  if (!selected_) return;
  begins_ = false;
  count() /= 10;
}

std::string choice_letter(std::size_t choice) {
  return choice < kLetters ? std::string(1, "ABCD"[choice]) : std::string();
}

std::vector<VoteRow> vote_rows(const Poll& poll, const lab::PredictDirective& question,
                               const std::string& lecture, const std::string& chapter,
                               const std::optional<std::string>& right) {
  std::vector<VoteRow> rows;
  for (const Vote vote : {Vote::first, Vote::second}) {
    if (poll.total(vote) == 0) continue;
    for (std::size_t i = 0; i < poll.choices(); ++i) {
      const std::string& value = question.choices[i].value;
      const char* decided = !right ? "" : *right == value ? "yes" : "no";
      rows.push_back({lecture, chapter, question.id, vote, choice_letter(i), value, decided,
                      poll.hands(vote, i)});
    }
  }
  return rows;
}

device::Expected<device::Done> keep_votes(const fs::path& file, const std::vector<VoteRow>& rows) {
  auto before = read_rows(file);
  if (!before) return tl::unexpected(before.error());
  std::erase_if(*before, [&](const lab::CsvRow& old) {
    return std::ranges::any_of(rows, [&](const VoteRow& row) {
      return old[lecture] == row.lecture && old[chapter] == row.chapter &&
             old[question] == row.question;
    });
  });
  lab::Csv csv;
  csv.rows = {head()};
  csv.rows.insert(csv.rows.end(), before->begin(), before->end());
  for (const VoteRow& row : rows) csv.rows.push_back(row_of(row));
  const auto written = device::write_file_atomically(file, lab::to_csv(csv));
  if (!written) return tl::unexpected(written.error());
  return device::Done{};
}

std::array<std::optional<EarlierVote>, 2> earlier_votes(const fs::path& file,
                                                        const std::string& of_chapter,
                                                        const std::string& of_question,
                                                        const std::string& now_lecture) {
  std::array<std::optional<EarlierVote>, 2> sums;
  const auto rows = read_rows(file);
  if (!rows) return sums;
  for (const lab::CsvRow& row : *rows) {
    if (row[chapter] != of_chapter || row[question] != of_question || row[lecture] == now_lecture)
      continue;
    auto& sum = sums[row[vote] == "2" ? 1 : 0];
    if (!sum) sum.emplace();
    sum->hands += number_in(row[hands]);
    if (row[right] == "yes") sum->right += number_in(row[hands]);
  }
  return sums;
}

}  // namespace warpbook::gui
