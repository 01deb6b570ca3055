// A show of hands, taken twice on one question: before the neighbours have talked it over, and after. The counts are the
// lecturer's, so no vote can be traced to a student, and they leave the room only as a file that the lecturer asks for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/error.hpp"
#include "lab/document/document.hpp"

namespace warpbook::gui {

enum class Vote : std::uint8_t { first, second };

class Poll {
 public:
  static constexpr int kMostHands = 9999;

  explicit Poll(std::size_t choices) : choices_(choices), hands_{} {
    for (auto& of_vote : hands_) of_vote.assign(choices, 0);
  }
  [[nodiscard]] std::size_t choices() const { return choices_; }
  [[nodiscard]] int hands(Vote vote, std::size_t choice) const { return of(vote)[choice]; }
  [[nodiscard]] int total(Vote vote) const;
  /// The share of all hands, 0 to 1; 0 where nobody has voted.
  [[nodiscard]] double share(Vote vote, std::size_t choice) const;

  /// The vote that is being taken.
  [[nodiscard]] Vote vote() const { return vote_; }
  void take(Vote vote);
  /// The choice whose hands are being counted; nothing before the first.
  [[nodiscard]] std::optional<std::size_t> selected() const { return selected_; }
  /// Ignores a choice that the question does not have. The next digit begins its count anew.
  void select(std::size_t choice);
  /// Puts a digit at the end of the selected choice's count. A count that would be too large stays.
  void type(int digit);
  /// Takes the last digit away.
  void erase();

 private:
  [[nodiscard]] const std::vector<int>& of(Vote vote) const {
    return hands_[static_cast<std::size_t>(vote)];
  }
  [[nodiscard]] int& count() { return hands_[static_cast<std::size_t>(vote_)][*selected_]; }

  std::size_t choices_;
  std::array<std::vector<int>, 2> hands_;  ///< by vote and choice
  Vote vote_ = Vote::first;
  std::optional<std::size_t> selected_;
  bool begins_ = false;  ///< no digit has been typed since the choice was selected
};

/// How many choices have a letter.
inline constexpr std::size_t kLetters = 4;
/// "A" for 0; empty for a choice beyond the letters.
std::string choice_letter(std::size_t choice);

/// What votes.csv has of a question: a row for each vote that was taken and each choice.
struct VoteRow {
  std::string lecture;  ///< when it began, ISO 8601
  std::string chapter, question;
  Vote vote = Vote::first;
  std::string choice, value;  ///< letter; what the chapter calls it
  std::string right;          ///< "yes" or "no"; empty where no run has decided it yet
  int hands = 0;
  friend bool operator==(const VoteRow&, const VoteRow&) = default;
};
std::vector<VoteRow> vote_rows(const Poll& poll, const lab::PredictDirective& question,
                               const std::string& lecture, const std::string& chapter,
                               const std::optional<std::string>& right);

/// Adds the rows to the file, which is begun where there is none. What it has of the same lecture and question is replaced, so
/// that votes may be kept as often as one likes. Errors: the file cannot be read or written, or has other columns.
device::Expected<device::Done> keep_votes(const std::filesystem::path& file,
                                          const std::vector<VoteRow>& rows);

/// How an earlier class voted on a question.
struct EarlierVote {
  int hands = 0, right = 0;
};
/// The sums of all earlier lectures in the file, by vote; nothing where none has this question.
std::array<std::optional<EarlierVote>, 2> earlier_votes(const std::filesystem::path& file,
                                                        const std::string& chapter,
                                                        const std::string& question,
                                                        const std::string& now_lecture);

}  // namespace warpbook::gui
