// HTML as our pages write it, read strictly: every element is closed where it should be, every attribute is quoted, every
// entity is known.
#pragma once

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::tests {

struct Element {
  std::string name;  ///< empty: text
  std::map<std::string, std::string, std::less<>> attributes;
  std::string text;  ///< of a text
  std::vector<std::unique_ptr<Element>> children;
  const Element* parent = nullptr;

  [[nodiscard]] std::string_view attribute(std::string_view key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string_view() : found->second;
  }
  [[nodiscard]] bool has_class(std::string_view wanted) const {
    const std::string_view classes = attribute("class");
    for (std::size_t at = classes.find(wanted); at != std::string_view::npos;
         at = classes.find(wanted, at + 1)) {
      const std::size_t end = at + wanted.size();
      if ((at == 0 || classes[at - 1] == ' ') && (end == classes.size() || classes[end] == ' '))
        return true;
    }
    return false;
  }
  [[nodiscard]] bool is_in(std::string_view tag) const {
    for (const Element* above = parent; above; above = above->parent) {
      if (above->name == tag) return true;
    }
    return false;
  }
  /// All below, in the order of the page, that `holds` is true of.
  template <class Holds>
  [[nodiscard]] std::vector<const Element*> all(Holds&& holds) const {
    std::vector<const Element*> found;
    collect(holds, found);
    return found;
  }
  [[nodiscard]] std::vector<const Element*> tags(std::string_view tag) const {
    return all([&](const Element& element) { return element.name == tag; });
  }
  [[nodiscard]] std::vector<const Element*> classes(std::string_view wanted) const {
    return all([&](const Element& element) { return element.has_class(wanted); });
  }
  /// What is read; without elements named `but`.
  [[nodiscard]] std::string words(std::string_view but = {}) const {
    std::string read;
    append_words(but, read);
    return read;
  }

 private:
  template <class Holds>
  void collect(Holds& holds, std::vector<const Element*>& found) const {
    for (const auto& child : children) {
      if (holds(*child)) found.push_back(child.get());
      child->collect(holds, found);
    }
  }
  void append_words(std::string_view but, std::string& read) const {
    read += text;
    for (const auto& child : children) {
      if (but.empty() || child->name != but) child->append_words(but, read);
    }
  }
};

class MarkupReader {
 public:
  explicit MarkupReader(std::string_view page) : page_(page) {}

  /// Throws std::runtime_error with what is wrong and where.
  std::unique_ptr<Element> read() {
    auto root = std::make_unique<Element>();
    Element* open = root.get();
    constexpr std::string_view kDoctype = "<!DOCTYPE html>";
    if (page_.starts_with(kDoctype)) at_ = kDoctype.size();
    while (at_ < page_.size()) {
      if (page_[at_] != '<') {
        const bool raw = open->name == "style";
        const std::size_t end = std::min(page_.find(raw ? "</style" : "<", at_), page_.size());
        add(*open)->text = raw ? std::string(page_.substr(at_, end - at_)) : decoded(end);
        at_ = end;
      } else if (page_.substr(at_, 2) == "</") {
        at_ += 2;
        const std::string name = word();
        expect(">");
        if (name != open->name) fail("</" + name + "> closes <" + open->name + ">");
        open = const_cast<Element*>(open->parent);
      } else {
        open = begin(*open);
      }
    }
    if (open != root.get()) fail("<" + open->name + "> is not closed");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(
        why + " before: " + std::string(page_.substr(std::min(at_, page_.size()), 60)));
  }
  static Element* add(Element& parent) {
    parent.children.push_back(std::make_unique<Element>());
    parent.children.back()->parent = &parent;
    return parent.children.back().get();
  }
  void expect(std::string_view token) {
    if (page_.substr(at_, token.size()) != token) fail("no " + std::string(token));
    at_ += token.size();
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < page_.size() && (std::isalnum(static_cast<unsigned char>(page_[at_])) ||
                                  std::string_view("-_:").find(page_[at_]) != std::string::npos))
      ++at_;
    if (at_ == begin) fail("no name");
    return std::string(page_.substr(begin, at_ - begin));
  }
  /// A start tag; the element that is open after it.
  Element* begin(Element& parent) {
    expect("<");
    Element* element = add(parent);
    element->name = word();
    while (page_.substr(at_, 1) == " ") {
      ++at_;
      const std::string key = word();
      expect("=\"");
      const std::size_t end = page_.find('"', at_);
      if (end == std::string::npos) fail("an attribute without an end");
      if (!element->attributes.emplace(key, decoded(end)).second) fail(key + " twice");
      at_ = end + 1;
    }
    const bool closed = page_.substr(at_, 1) == "/";
    if (closed) ++at_;
    expect(">");
    return closed || element->name == "meta" ? &parent : element;
  }
  /// Characters up to `end`, entities read.
  std::string decoded(std::size_t end) const {
    static const std::map<std::string_view, char> entities{
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    std::string read;
    for (std::size_t i = at_; i < end;) {
      if (page_[i] == '<') fail("< where there is text");
      if (page_[i] != '&') {
        read += page_[i++];
        continue;
      }
      const std::string_view entity = page_.substr(i, page_.find(';', i) - i + 1);
      const auto known = entities.find(entity);
      if (known == entities.end()) fail("an unknown entity");
      read += known->second;
      i += entity.size();
    }
    return read;
  }

  std::string_view page_;
  std::size_t at_ = 0;
};

}  // namespace warpbook::tests
