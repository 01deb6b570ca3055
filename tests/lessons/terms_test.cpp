// The book's terms: each explained before it is used, in both languages, and one word for one thing.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/document/glossary.hpp"
#include "lab/document/markdown.hpp"
#include "lab/document/terms.hpp"
#include "lab/exercise/exercise.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::terms_test {
namespace {

/// Chapter and term: a box of the chapter explains it in place, since its own chapter comes later.
const lab::ExplainedInBox kBoxes{{"warps", "shared-memory"}};

/// Words of the field that the book explains if it uses them: what they are in English, and in Chinese.
struct FieldWord {
  const char *english, *chinese;
};
constexpr std::array kFieldWords{
    FieldWord{"thread", "线程"},
    FieldWord{"thread block", "线程块"},
    FieldWord{"grid", "网格"},
    FieldWord{"warp", "线程束"},
    FieldWord{"lane", "lane"},
    FieldWord{"kernel", "核函数"},
    FieldWord{"host", "主机"},
    FieldWord{"driver", "驱动程序"},
    FieldWord{"toolkit", "工具包"},
    FieldWord{"compute capability", "计算能力"},
    FieldWord{"machine code", "机器码"},
    FieldWord{"multiprocessor", "多处理器"},
    FieldWord{"register", "寄存器"},
    FieldWord{"global memory", "全局内存"},
    FieldWord{"shared memory", "共享内存"},
    FieldWord{"local memory", "局部内存"},
    FieldWord{"constant memory", "常量内存"},
    FieldWord{"texture", "纹理"},
    FieldWord{"sector", "扇区"},
    FieldWord{"cache line", "缓存行"},
    FieldWord{"barrier", "屏障"},
    FieldWord{"divergence", "分支分歧"},
    FieldWord{"atomic", "原子操作"},
    FieldWord{"race", "数据竞争"},
    FieldWord{"stray access", "越界访问"},
    FieldWord{"guard", "边界检查"},
    FieldWord{"schedule", "调度顺序"},
    FieldWord{"state space", "状态空间"},
    FieldWord{"roofline", "屋顶线"},
    FieldWord{"arithmetic intensity", "计算强度"},
    FieldWord{"occupancy", "占用率"},
    FieldWord{"bank", "存储体"},
    FieldWord{"bandwidth", "带宽"},
    FieldWord{"latency", "延迟"},
    FieldWord{"throughput", "吞吐量"},
    FieldWord{"filter", "滤波器"},
    FieldWord{"channel", "通道"},
    FieldWord{"stride", "步长"},
    FieldWord{"padding", "填充"},
    FieldWord{"dilation", "膨胀"},
    FieldWord{"im2col", "im2col"},
    FieldWord{"GEMM", "GEMM"},
    FieldWord{"workspace", "工作区"},
    FieldWord{"engine", "引擎"},
    FieldWord{"tensor core", "张量核心"},
    FieldWord{"layout", "数据布局"},
    FieldWord{"tile", "分块"},
    FieldWord{"halo", "halo"},
    FieldWord{"fusion", "融合"},
    FieldWord{"shuffle", "洗牌"},
    FieldWord{"gradient", "梯度"},
    FieldWord{"logit", "logit"},
};

/// Words that the book does not use, because it has another for the thing.
struct OtherWord {
  const char *language, *word, *instead;
};
constexpr std::array kOtherWords{
    OtherWord{"en", "napkin", "estimate"},     OtherWord{"zh", "卷积核", "滤波器"},
    OtherWord{"zh", "跨步", "步长"},           OtherWord{"zh", "步幅", "步长"},
    OtherWord{"zh", "共享存储器", "共享内存"}, OtherWord{"zh", "全局存储器", "全局内存"},
    OtherWord{"zh", "内核函数", "核函数"},
};

std::vector<lab::BookPage> book_in(const std::string& language) {
  std::vector<lab::BookPage> book;
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
    REQUIRE(document);
    lab::BookPage page{lesson.slug, std::move(*document), {}};
    for (const std::string& id : lesson.exercises) {
      const auto exercise = lab::load_exercise(WARPBOOK_SOURCE_DIR, id, language);
      REQUIRE(exercise);
      auto task =
          lab::parse_document(exercise->task, "exercises/" + id + "/" + language + ".md", language);
      REQUIRE(task);
      page.tasks.emplace_back(id, std::move(*task));
    }
    book.push_back(std::move(page));
  }
  return book;
}

/// Calls visit(file, line, text) for all that a page says.
template <class Visit>
void each_text(const lab::BookPage& page, const Visit& visit) {
  const auto document = [&](const lab::Document& said) {
    for (std::size_t i = 0; i < said.nodes.size(); ++i) {
      for (const lab::Spans& spans : lab::prose_of(said.nodes[i]))
        visit(said.file, said.lines[i], lab::readable_text(spans));
    }
  };
  document(page.document);
  for (const auto& [id, task] : page.tasks) document(task);
}

/// The word beside the book's terms, so that a longer word which holds it is not it: a grid-stride loop is no stride.
class OneWord {
 public:
  OneWord(std::string word, const std::vector<lab::TermDirective>& terms) : word_(std::move(word)) {
    lab::TermDirective own;
    own.id = word_;
    own.name = {{lab::Span::Kind::text, word_, "", false, false}};
    words_.add(own);
    for (const lab::TermDirective& term : terms) words_.add(term);
  }
  [[nodiscard]] bool is_in(const std::string& text) const {
    const auto uses = words_.in(text);
    return std::ranges::find(uses, word_, &lab::TermWords::Use::id) != uses.end();
  }

 private:
  std::string word_;
  lab::TermWords words_;
};

std::vector<lab::TermDirective> terms_of(const std::vector<lab::BookPage>& book) {
  std::vector<lab::TermDirective> terms;
  for (const lab::BookPage& page : book) {
    for (const lab::DocumentNode& node : page.document.nodes) {
      if (const auto* term = std::get_if<lab::TermDirective>(&node)) terms.push_back(*term);
    }
  }
  return terms;
}

}  // namespace

TEST_CASE("Every term is explained before the book uses it") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  lab::ExplainedInBox boxes = kBoxes;
  for (const lab::EarlyUse& use : lab::uses_before(book_in(language), boxes)) {
    CAPTURE(use.chapter, use.file, use.line, use.id);
    CHECK(use.chapter.empty());
  }
  for (const auto& [chapter, id] : boxes) {
    CAPTURE(chapter, id);
    FAIL_CHECK("no box of that chapter needs to explain this term");
  }
}

TEST_CASE("No word of the field is used without a term that explains it") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto book = book_in(language);
  const auto terms = terms_of(book);
  for (const FieldWord& field : kFieldWords) {
    const std::string word = language == "en" ? field.english : field.chinese;
    const bool explained = std::ranges::any_of(terms, [&](const lab::TermDirective& term) {
      const auto words = lab::words_of(term);
      return std::ranges::find(words, word) != words.end();
    });
    if (explained) continue;
    const OneWord only(word, terms);
    for (const lab::BookPage& page : book) {
      bool told = false;
      each_text(page, [&](const std::string& file, std::uint32_t line, const std::string& text) {
        if (told || !only.is_in(text)) return;
        told = true;
        CAPTURE(word, page.slug, file, line);
        FAIL_CHECK("used, and explained by no term");
      });
    }
  }
}

TEST_CASE("A thing has one word: no two terms share one, and none has another beside it") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto book = book_in(language);
  std::map<std::string, std::string> owner;
  const auto terms = terms_of(book);
  for (const lab::TermDirective& term : terms) {
    for (const std::string& word : lab::words_of(term)) {
      const auto [found, is_new] = owner.emplace(word, term.id);
      CAPTURE(word, term.id, found->second);
      CHECK(is_new);
    }
  }
  for (const OtherWord& other : kOtherWords) {
    if (other.language != language) continue;
    const OneWord only(other.word, terms);
    for (const lab::BookPage& page : book) {
      each_text(page, [&](const std::string& file, std::uint32_t line, const std::string& text) {
        CAPTURE(file, line, other.word, other.instead);
        CHECK_FALSE(only.is_in(text));
      });
    }
  }
}

}  // namespace warpbook::terms_test
