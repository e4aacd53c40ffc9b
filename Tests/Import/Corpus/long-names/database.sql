-- Names longer than the schema language takes.
CREATE TABLE a_table_whose_name_is_a_good_deal_longer_than_sixty_three_bytes_are (id INTEGER PRIMARY KEY);
CREATE TABLE short (id INTEGER PRIMARY KEY, a_column_whose_name_is_a_good_deal_longer_than_sixty_three_bytes TEXT, xmin TEXT);
CREATE TABLE required (id INTEGER PRIMARY KEY, a_column_whose_name_is_a_good_deal_longer_than_sixty_three_bytes TEXT NOT NULL);
